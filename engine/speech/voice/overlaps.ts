/** Stretches of time: put in order, joined, taken out of others, and found where they overlap. */
import type { Seconds } from './vad.ts'

export function inOrder<Span extends Seconds>(spans: readonly Span[]): Span[] {
  return spans.toSorted((a, b) => a.start - b.start)
}

export function joined(spans: Seconds[], pauseSeconds: number): Seconds[] {
  const result: Seconds[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last && span.start - last.end <= pauseSeconds) last.end = Math.max(last.end, span.end)
    else result.push({ ...span })
  }
  return result
}

/** Cuts other spans out of spans; drops pieces shorter than `minSeconds`. */
export function without(spans: Seconds[], others: Seconds[], minSeconds: number): Seconds[] {
  const sorted = joined(
    others.toSorted((a, b) => a.start - b.start),
    0,
  )
  return spans.flatMap((span) => {
    const left: Seconds[] = []
    let { start } = span
    for (const other of touching(sorted, span)) {
      left.push({ start, end: other.start })
      start = Math.max(start, other.end)
    }
    left.push({ start, end: span.end })
    return left.filter((part) => part.end - part.start >= minSeconds)
  })
}

/** Those of separate spans in order that overlap this one, found by halving: files are long. */
export function touching(sorted: Seconds[], span: Seconds): Seconds[] {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.start < span.end) low = middle + 1
    else high = middle
  }
  let first = low
  while (first > 0 && sorted[first - 1]!.end > span.start) first--
  return sorted.slice(first, low)
}
