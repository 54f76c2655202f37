import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { FoundRange, FoundRanges } from '../review/found-range.tsx'
import type { Playhead } from '../viewer/playhead.ts'
import type { Reel } from '../viewer/reel.ts'

/** Silences and fillers that an edit could do without. */
export function RemovalsList({
  removals,
  reel,
  playhead,
}: {
  removals: FindingsOf<'cutpoints'>['removals']
  reel: Reel
  playhead: Playhead
}) {
  return (
    <FoundRanges
      rows={removals.map(({ kind, text, start_frame, end_frame }) => (
        <FoundRange
          key={`${kind} ${start_frame}`}
          range={{ startFrame: start_frame, endFrame: end_frame }}
          label={kind === 'silence' ? 'Silence' : `Filler “${text ?? ''}”`}
          reel={reel}
          playhead={playhead}
        />
      ))}
    />
  )
}
