import { Play } from 'lucide-react'
import { useMemo } from 'react'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { defaultMinPartFrames } from '../../../../domain/findings/tighten.ts'
import { counted } from '../../../app/format.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useWorkbench } from '../workbench-context.ts'
import { tightenedParts } from './tightened-parts.ts'
import type { Tighten } from './tightened-parts.ts'

const maxFrames = 10_000
const untouched: Tighten = { handle_frames: 0, min_part_frames: defaultMinPartFrames }

/** The footage without silences and fillers: how tight, and how it plays before it is exported. */
export function TightenedCut({ removals }: { removals: FindingsOf<'cutpoints'>['removals'] }) {
  const { findings, state, reel, playhead } = useWorkbench()
  const words = findings.transcription?.words
  const { tighten = untouched } = state.review
  const { handle_frames: handleFrames, min_part_frames: minPartFrames } = tighten
  const { parts, length, whole } = useMemo(
    () =>
      tightenedParts({ removals, words }, reel, {
        handle_frames: handleFrames,
        min_part_frames: minPartFrames,
      }),
    [removals, words, reel, handleFrames, minPartFrames],
  )
  const change = (field: keyof Tighten, min: number) => (text: string) => {
    const value = Math.round(Number(text))
    if (text === '' || !(value >= min && value <= maxFrames)) return
    state.setTighten({ ...tighten, [field]: value })
  }
  return (
    <section aria-label="Tightened cut" className="rounded-md border border-line p-3">
      <div className="flex flex-wrap items-end gap-3">
        <FramesField
          label="Handles (frames)"
          value={handleFrames}
          onChange={change('handle_frames', 0)}
        />
        <FramesField
          label="Shortest part (frames)"
          value={minPartFrames}
          onChange={change('min_part_frames', 1)}
        />
        <Button
          look="primary"
          disabled={parts.length === 0}
          onClick={() => playhead.playPassages(parts)}
        >
          <Play size={14} aria-hidden /> Play tightened cut
        </Button>
      </div>
      <p role="status" className="mt-2 text-xs text-ink-3">
        {counted(parts.length, 'part')} · <span className="timecode">{length}</span> of{' '}
        <span className="timecode">{whole}</span>. Export it as “Silences and fillers removed”.
      </p>
    </section>
  )
}

function FramesField({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (text: string) => void
}) {
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={0}
      max={maxFrames}
      className="w-36"
      // Typing passes through values that are no number; the last good one counts.
      key={value}
      defaultValue={value}
      onBlur={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') onChange(event.currentTarget.value)
      }}
    />
  )
}
