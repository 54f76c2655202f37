/** Measures in turns, so that everything else the machine does weighs on all alike. */
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

/** Milliseconds that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function scatter(values: readonly number[]): string {
  return `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`
}

/** Prints a figure beside its limit; the command fails where the limit is missed. */
export function print(
  name: string,
  value: number,
  limit: { max: number } | { min: number },
  more = '',
): void {
  const isMet = 'max' in limit ? value <= limit.max : value >= limit.min
  const target = 'max' in limit ? `≤ ${limit.max}` : `≥ ${limit.min}`
  const verdict = isMet ? 'met' : 'MISSED'
  console.log(`${name} = ${value.toFixed(2)} (target ${target}: ${verdict}${more && `; ${more}`})`)
  if (!isMet) process.exitCode = 1
}
