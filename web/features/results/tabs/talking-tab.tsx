import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { lipSyncText } from '../../../../domain/findings/lip-sync.ts'
import { counted } from '../../../app/format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Select } from '../../../ui/field.tsx'
import { FoundRange, FoundRanges } from '../review/found-range.tsx'
import type { Playhead } from '../viewer/playhead.ts'
import type { Reel } from '../viewer/reel.ts'
import { talkingChoices, talkingRows } from './talking-rows.ts'

/** Who talks when, where lips move without a voice, and where a voice has no mouth to match. */
export function TalkingTab({
  found,
  reel,
  playhead,
  onSelect,
  onSpeaker,
}: {
  found: FindingsOf<'talking'>
  reel: Reel
  playhead: Playhead
  onSelect: (range: { startFrame: number; endFrame: number }) => void
  /** Asks for another name; absent where nothing can be corrected. */
  onSpeaker: ((speaker: string) => void) | undefined
}) {
  const [shown, setShown] = useState('')
  const all = useMemo(() => talkingRows(found), [found])
  const choices = useMemo(() => talkingChoices(found, all), [found, all])
  if (found.speech.length === 0 && found.faces.length === 0) {
    return (
      <EmptyState title="Nobody talks">
        No voices heard and no faces seen in this footage.
      </EmptyState>
    )
  }
  const rows = all.filter((row) => shown === '' || row.of.includes(shown))
  const sync = lipSyncText(found)
  const isPerson = found.faces.some((face) => face.id === shown)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-3">
        <p className="grow pb-1.5 text-xs text-ink-3">
          {found.faces.length === 1 ? '1 face' : `${found.faces.length} faces`} ·{' '}
          {counted(found.lip_flap.length, 'lip flap')}
          {sync !== null && ` · ${sync}`}
        </p>
        <Select
          label="Show"
          value={shown}
          onChange={(event) => setShown(event.target.value)}
          options={choices}
        />
        {onSpeaker && isPerson && (
          <Button size="md" onClick={() => onSpeaker(shown)}>
            Rename…
          </Button>
        )}
      </div>
      <FoundRanges
        rows={rows.map((row) => (
          <FoundRange
            key={`${row.label} ${row.startFrame}`}
            range={row}
            label={row.label}
            isBad={row.of.includes('flap')}
            hint={row.hint}
            reel={reel}
            playhead={playhead}
          >
            <IconButton
              label={`Add ${row.label} at ${reel.timecode(row.startFrame)} to the selects`}
              look="secondary"
              onClick={() => onSelect(row)}
            >
              <Plus size={16} aria-hidden />
            </IconButton>
          </FoundRange>
        ))}
      />
    </div>
  )
}
