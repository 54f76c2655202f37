/** Shows both versions of a thing corrected twice; nothing is sent until one is chosen. */
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/field.tsx'
import { describeItem, frameOf } from './correction-text.ts'
import type { Clock } from './correction-text.ts'
import type { Conflict, Item } from './merge-corrections.ts'

export function ConflictDialog({
  conflicts,
  clock,
  onDecide,
}: {
  conflicts: readonly Conflict[]
  clock: Clock
  onDecide: (mine: ReadonlySet<string>) => void
}) {
  const [mine, setMine] = useState<ReadonlySet<string>>(
    () => new Set(conflicts.map((conflict) => conflict.key)),
  )
  const all = new Set(conflicts.map((conflict) => conflict.key))
  const choose = (key: string, isMine: boolean): void => {
    const next = new Set(mine)
    if (isMine) next.add(key)
    else next.delete(key)
    setMine(next)
  }
  return (
    <Dialog
      open
      // Closing decides nothing: the question stays until it is answered.
      onClose={() => undefined}
      title="Corrected twice"
      description="These were also corrected elsewhere since you opened this page. Choose for each; everything else is already joined."
      footer={
        <>
          <Button onClick={() => onDecide(new Set())}>Keep theirs</Button>
          <Button onClick={() => onDecide(all)}>Keep mine</Button>
          <Button look="primary" onClick={() => onDecide(mine)}>
            Save as chosen
          </Button>
        </>
      }
    >
      <ul className="flex flex-col gap-4">
        {conflicts.map((conflict) => (
          <li key={conflict.key}>
            <Select
              label={whereOf(conflict, clock)}
              value={mine.has(conflict.key) ? 'mine' : 'theirs'}
              onChange={(event) => choose(conflict.key, event.target.value === 'mine')}
              options={[
                { value: 'mine', label: `Mine: ${textOf(conflict.mine)}` },
                { value: 'theirs', label: `Theirs: ${textOf(conflict.theirs)}` },
              ]}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function textOf(item: Item | null): string {
  return item ? describeItem(item) : 'as it was found'
}

function whereOf({ mine, theirs }: Conflict, clock: Clock): string {
  const item = mine ?? theirs
  const frame = item && frameOf(item, clock)
  return frame === null ? 'Speaker' : `At ${clock.timecode(frame)}`
}
