/** Reads rows page by page, each from the last row of the one before, until one is not full. */
export async function* inPages<Row>(
  pageRows: number,
  readAfter: (last: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | null = null
  for (;;) {
    const rows: Row[] = await readAfter(last)
    yield* rows
    if (rows.length < pageRows) return
    last = rows.at(-1)!
  }
}
