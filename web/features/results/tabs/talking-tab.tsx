import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { lipSyncText } from '../../../../domain/findings/lip-sync.ts'
import { counted } from '../../../app/format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Select } from '../../../ui/field.tsx'
import { FoundRange, FoundRanges } from '../review/found-range.tsx'
import { useWorkbench } from '../workbench-context.ts'
import { talkingChoices, talkingRows } from './talking-rows.ts'

/** Who talks when, where lips move without a voice, and where a voice has no mouth to match. */
export function TalkingTab({ talking }: { talking: FindingsOf<'talking'> }) {
  const { reel, state, correcting } = useWorkbench()
  const [shown, setShown] = useState('')
  const all = useMemo(() => talkingRows(talking), [talking])
  const choices = useMemo(() => talkingChoices(talking, all), [talking, all])
  if (talking.speech.length === 0 && talking.faces.length === 0) {
    return (
      <EmptyState title="Nobody talks">
        No voices heard and no faces seen in this footage.
      </EmptyState>
    )
  }
  const rows = all.filter((row) => shown === '' || row.of.includes(shown))
  const sync = lipSyncText(talking)
  const isPerson = talking.faces.some((face) => face.id === shown)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-3">
        <p className="grow pb-1.5 text-xs text-ink-3">
          {counted(talking.faces.length, 'face')} · {counted(talking.lip_flap.length, 'lip flap')}
          {sync !== null && ` · ${sync}`}
        </p>
        <Select
          label="Show"
          value={shown}
          onChange={(event) => setShown(event.target.value)}
          options={choices}
        />
        {correcting && isPerson && (
          <Button
            size="md"
            onClick={() => correcting.askSpeaker({ speaker: shown, passage: null })}
          >
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
          >
            <IconButton
              label={`Add ${row.label} at ${reel.timecode(row.startFrame)} to the selects`}
              look="secondary"
              onClick={() => state.addSelect(row)}
            >
              <Plus size={16} aria-hidden />
            </IconButton>
          </FoundRange>
        ))}
      />
    </div>
  )
}
