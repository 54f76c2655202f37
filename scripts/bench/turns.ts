/** Measures that alternate, so that whatever else the machine does weighs on all alike. */
export async function inTurns<Name extends string>(
  rounds: number,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[]
  const all = Object.fromEntries(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) all[name]?.push(await measures[name]())
  }
  return all as Record<Name, number[]>
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}

export function scatter(values: readonly number[]): string {
  return `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`
}
