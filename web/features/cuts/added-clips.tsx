import type { NewRange } from '../../../domain/cuts/cut-edit.ts'
import { lengthText } from './length-text.ts'

/** A range that goes into a cut, as its clip names it. */
export interface AddedClip {
  range: NewRange
  /** The timecodes of its first frame and of the one behind its last. */
  in: string
  out: string
  length: string
  seconds: number
}

const maxListed = 4

/** Which frames are added, and how long they are together. */
export function AddedClips({ clips }: { clips: readonly AddedClip[] }) {
  const seconds = clips.reduce((sum, clip) => sum + clip.seconds, 0)
  const more = clips.length - maxListed
  return (
    <>
      {clips.slice(0, maxListed).map((clip) => (
        <span key={`${clip.range.content_id} ${clip.in} ${clip.out}`} className="block">
          {clip.range.name ? `${clip.range.name} · ` : ''}
          <span className="timecode">
            {clip.in} – {clip.out} · {clip.length}
          </span>
        </span>
      ))}
      {clips.length > 1 && (
        <span className="block">
          {more > 0 && `and ${more.toLocaleString('en-US')} more, `}
          {lengthText(seconds)} in all
        </span>
      )}
    </>
  )
}
