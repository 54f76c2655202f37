/** How figures are printed: a name, the figure, and others beside it. */

export function print(name: string, figure: string, more: Record<string, unknown> = {}): void {
  const rest = Object.entries(more).map(([label, value]) => {
    return `${label} ${typeof value === 'number' ? Number(value.toFixed(1)) : String(value)}`
  })
  console.log([name.padEnd(28), figure, ...rest].join('  '))
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}
