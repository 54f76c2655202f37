/** Corrects the shot under the playhead. */
import { ChevronDown } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { Findings } from '../../../../domain/findings/findings.ts'
import { Button } from '../../../ui/button.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import type { ShotRange } from '../review/cuts.ts'
import type { Playhead } from '../viewer/playhead.ts'
import type { Correcting, CorrectionState } from './save-corrections.ts'
import { moveChange, removeChange, retypeChange, revertChanges, splitShot } from './edit-shots.ts'
import type { ChangeType } from './edit-shots.ts'

type Shots = NonNullable<Findings['shots']>

const types: { value: ChangeType; label: string }[] = [
  { value: 'cut', label: 'Cut' },
  { value: 'dissolve', label: 'Dissolve' },
  { value: 'fade', label: 'Fade' },
  { value: 'wipe', label: 'Wipe' },
]

type Change = ReturnType<typeof changeOf>

export function ShotMenu({
  index,
  shots,
  detected,
  frames,
  playhead,
  state,
}: {
  /** Index of the shot under the playhead. */
  index: number
  shots: readonly ShotRange[]
  detected: Shots
  frames: number
  playhead: Playhead
  state: CorrectionState
}) {
  const shot = shots[index]
  const next = shots[index + 1]
  const isAtStart = useSyncExternalStore(
    playhead.subscribe,
    () => playhead.frame() === shot?.startFrame,
  )
  if (!shot) return null
  const { corrections, change } = state
  const [mine, theirs] = [changeOf(shot), next ? changeOf(next) : null]
  const previous = shots[index - 1]
  const around = {
    startFrame: previous?.startFrame ?? shot.startFrame,
    endFrame: next?.endFrame ?? shot.endFrame,
  }
  const reverted = revertChanges(corrections, around).shots
  const isCorrected =
    reverted.removed.length < corrections.shots.removed.length ||
    reverted.added.length < corrections.shots.added.length
  const remove = (gone: Change) => gone && (() => removeChange(corrections, detected, gone))
  const move = (moved: Change) =>
    moved &&
    !isAtStart &&
    (() => {
      const to = { change: moved, frame: playhead.frame(), frames }
      return moveChange(corrections, detected, to)
    })
  const split = !isAtStart && (() => splitShot(corrections, detected, playhead.frame()))
  const items = [
    { label: 'Split at the playhead', shortcut: 'B', next: split },
    { label: 'Merge with the next shot', shortcut: 'N', next: remove(theirs) },
    { label: 'Reject the transition before it', next: remove(mine) },
    { label: 'Move its start to the playhead', next: move(mine) },
    { label: 'Move its end to the playhead', next: move(theirs) },
  ]
  const number = String(shot.index + 1).padStart(2, '0')
  return (
    <Menu
      trigger={
        <Button>
          Correct shot {number} <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {items.map(({ label, shortcut, next: apply }) => (
        <MenuItem key={label} disabled={!apply} onSelect={() => apply && change(apply())}>
          <span className="grow">{label}</span> {shortcut && <Kbd>{shortcut}</Kbd>}
        </MenuItem>
      ))}
      {mine && (
        <>
          <MenuSeparator />
          <MenuChoice
            label="It begins with a"
            value={mine.type}
            options={types}
            closes
            onChange={(type) =>
              change(
                retypeChange(corrections, detected, {
                  change: mine,
                  type: type as ChangeType,
                  frames,
                }),
              )
            }
          />
        </>
      )}
      <MenuSeparator />
      <MenuItem disabled={!isCorrected} onSelect={() => change(revertChanges(corrections, around))}>
        Revert to the detected shots
      </MenuItem>
    </Menu>
  )
}

/** By key: splits the shot at a frame, or merges the shot there with the next. */
export function correctShot(
  { state, detected }: Correcting,
  shots: readonly ShotRange[],
  frame: number,
  action: 'split' | 'merge',
): void {
  if (!detected.shots) return
  const index = shots.findIndex((shot) => frame >= shot.startFrame && frame < shot.endFrame)
  const [shot, next] = [shots[index], shots[index + 1]]
  if (action === 'split' && shot && frame > shot.startFrame) {
    state.change(splitShot(state.corrections, detected.shots, frame))
  }
  const change = next && changeOf(next)
  if (action === 'merge' && change) {
    state.change(removeChange(state.corrections, detected.shots, change))
  }
}

/** The change that a shot begins with; null at the start of the film. */
export function changeOf(shot: ShotRange) {
  if (shot.transition === 'start') return null
  const range = shot.blend ?? { startFrame: shot.startFrame, endFrame: shot.startFrame }
  return { ...range, type: shot.transition as ChangeType }
}
