import type { NewRange } from '../../../domain/cuts/cut-edit.ts'
import type { SearchHit } from '../../../contract/footage/search.ts'
import type { AddedClip } from './added-clips.tsx'

/** The frames of a search hit as a range of a cut; nothing where it is no moment of a clip. */
export function rangeOfHit(hit: SearchHit): NewRange | null {
  if (!hit.content_id || hit.kind === 'name' || hit.kind === 'text') return null
  // The whole sentence: one that begins in its middle is not what an editor wants.
  const from = hit.passage_start_frame ?? hit.start_frame
  if (hit.end_frame <= from) return null
  return { content_id: hit.content_id, in: from, out: hit.end_frame }
}

export function clipOfHit(hit: SearchHit): AddedClip | null {
  const range = rangeOfHit(hit)
  return range && hit.passage_timecodes ? { range, ...hit.passage_timecodes } : null
}
