/** Paragraphs split and joined. One that takes back another leaves nothing behind. */
import type { Corrections } from '../../../../domain/findings/corrections.ts'

export function splitAt(corrections: Corrections, seconds: number): Corrections {
  return regroup(corrections, seconds, 'split')
}

/** Joins the paragraph that begins here with the one before it. */
export function joinAt(corrections: Corrections, seconds: number): Corrections {
  return regroup(corrections, seconds, 'join')
}

function regroup(corrections: Corrections, at: number, action: 'split' | 'join'): Corrections {
  const others = corrections.paragraphs.filter((item) => Math.abs(item.at - at) > 0.001)
  const isTakenBack = others.length < corrections.paragraphs.length
  const paragraphs = isTakenBack ? others : [...others, { at, action }]
  return { ...corrections, paragraphs }
}
