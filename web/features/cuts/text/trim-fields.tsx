import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { typedFrame } from '../../../../domain/time/typed-timecode.ts'
import type { CutSource } from '../../../../contract/footage/cuts.ts'
import type { CutRange } from '../../../../domain/cuts/cut.ts'
import { showToast } from '../../../ui/toast.tsx'
import { namesOfSource, sourceTime } from '../source-names.ts'

/** First and last frame of a range in the clip's timecode. Up and down trim by a frame. */
export function TrimFields({
  range,
  source,
  onTrim,
}: {
  range: CutRange
  source: CutSource | undefined
  onTrim: (id: string, ends: { in?: number; out?: number }) => void
}) {
  if (!source) return null
  return (
    <span className="flex flex-wrap items-center gap-2 text-xs text-ink-3">
      <TrimField
        label="In"
        frame={range.in}
        source={source}
        onFrame={(frame) => onTrim(range.id, { in: frame })}
      />
      <TrimField
        label="Out"
        frame={range.out}
        source={source}
        onFrame={(frame) => onTrim(range.id, { out: frame })}
      />
    </span>
  )
}

function TrimField({
  label,
  frame,
  source,
  onFrame,
}: {
  label: string
  frame: number
  source: CutSource
  onFrame: (frame: number) => void
}) {
  /** Null: nothing was typed since, and the frame itself is shown. */
  const [typed, setTyped] = useState<string | null>(null)
  const isDiscarding = useRef(false)
  const take = (): void => {
    if (typed === null || isDiscarding.current) return
    setTyped(null)
    const { frames } = source
    const next = typedFrame(typed, namesOfSource(source), { currentFrame: frame, frames })
    if (next === null || next < 0 || next > frames) {
      const message = `${source.name} goes from ${sourceTime(source, 0)} to ${sourceTime(source, source.frames)}.`
      showToast({ type: 'warning', title: 'Outside of the clip', message })
    } else if (next !== frame) onFrame(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.key === 'Enter') take()
    if (event.key === 'Escape') {
      isDiscarding.current = true
      setTyped(null)
      event.currentTarget.blur()
      isDiscarding.current = false
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    setTyped(null)
    onFrame(frame + (event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1))
  }
  return (
    <label className="flex items-center gap-1">
      {label}
      <input
        value={typed ?? sourceTime(source, frame)}
        aria-label={`${label} of the clip, in its source’s timecode`}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={take}
        onKeyDown={onKeyDown}
        className="timecode h-6 w-[13ch] rounded-sm border border-line bg-page px-1.5 text-xs text-ink pointer-coarse:h-11"
      />
    </label>
  )
}
