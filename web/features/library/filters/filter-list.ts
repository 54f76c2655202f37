/** The list with a filter that was removed from it, at its old place, and once only. */
export function withFilter<Filter extends { name: string }>(
  filters: readonly Filter[],
  back: Filter,
  index: number,
): Filter[] {
  return filters.filter(({ name }) => name !== back.name).toSpliced(index, 0, back)
}
