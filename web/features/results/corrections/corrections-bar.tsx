/** How many corrections there are, whether they are saved, and the way back. */
import { TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import { counted } from '../../../app/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { UndoButtons } from '../../../saved/undo-buttons.tsx'
import type { SaveState } from '../../../saved/saved-document.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useWorkbench } from '../workbench-context.ts'
import { describeItem, frameOf, isUnmatched } from './correction-text.ts'
import type { Clock } from './correction-text.ts'
import { correctionsOf, itemsOf } from './merge-corrections.ts'
import type { Item } from './merge-corrections.ts'

const saveTexts: Record<SaveState, string> = {
  saved: 'Saved',
  saving: 'Saving…',
  waiting: 'Offline. Kept here and sent later',
  refused: 'Not saved',
  conflict: 'Not saved',
}

export function CorrectionsBar() {
  const { corrections: state, unmatched } = useWorkbench()
  const [isOpen, setOpen] = useState(false)
  const items = useMemo(() => [...itemsOf(state.corrections).values()], [state.corrections])
  if (!state.isOffered || (items.length === 0 && !state.canUndo && !state.canRedo)) return null
  const isTrouble = state.saveState === 'waiting' || state.saveState === 'refused'
  return (
    <section
      aria-label="Corrections"
      className="flex items-center gap-2 border-t border-line px-3 py-1.5"
    >
      <p className="flex min-w-0 grow flex-wrap items-center gap-x-2 text-ink-3">
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="rounded-sm text-brand-ink hover:underline pointer-coarse:py-3"
        >
          {counted(items.length, 'correction')}
        </button>
        <span role="status" className={isTrouble ? 'text-warn' : ''}>
          {saveTexts[state.saveState]}
        </span>
        {unmatched.length > 0 && (
          <button
            type="button"
            onClick={() => setOpen(true)}
            className="flex items-center gap-1 rounded-sm text-warn hover:underline"
          >
            <TriangleAlert size={14} aria-hidden />
            {unmatchedText(unmatched.length)}
          </button>
        )}
      </p>
      {state.saveState === 'refused' && <Button onClick={() => void state.save()}>Retry</Button>}
      <UndoButtons state={state} size={14} />
      {isOpen && (
        <CorrectionsDialog
          items={items}
          onRevert={(gone) =>
            state.change(correctionsOf(items.filter((item) => !gone.includes(item))))
          }
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}

function unmatchedText(count: number): string {
  return count === 1 ? '1 correction no longer matches' : `${count} corrections no longer match`
}

function CorrectionsDialog({
  items,
  onRevert,
  onClose,
}: {
  items: readonly Item[]
  onRevert: (items: readonly Item[]) => void
  onClose: () => void
}) {
  const { unmatched, reel: clock, playhead } = useWorkbench()
  const lost = items.filter((item) => isUnmatched(item, unmatched, clock))
  const rest = items
    .filter((item) => !lost.includes(item))
    .toSorted((a, b) => (frameOf(a, clock) ?? -1) - (frameOf(b, clock) ?? -1))
  const goTo = (frame: number): void => {
    playhead.seek(frame)
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Corrections"
      description="The findings stay stored. Exports and search use your corrections."
      isForReading
      footer={items.length > 1 && <Button onClick={() => onRevert(items)}>Revert all</Button>}
    >
      {items.length === 0 && (
        <EmptyState title="No corrections">Everything is as it was found.</EmptyState>
      )}
      {lost.length > 0 && (
        <>
          <h3 className="text-warn">{unmatchedText(lost.length)}</h3>
          <p className="mb-1 text-xs text-ink-3">
            A later run found something else there. They are kept, and apply again where they fit.
          </p>
          <Rows items={lost} clock={clock} onGo={goTo} onRevert={onRevert} />
        </>
      )}
      <Rows items={rest} clock={clock} onGo={goTo} onRevert={onRevert} />
    </Dialog>
  )
}

function Rows({
  items,
  clock,
  onGo,
  onRevert,
}: {
  items: readonly Item[]
  clock: Clock
  onGo: (frame: number) => void
  onRevert: (items: readonly Item[]) => void
}) {
  return (
    <ul className="mb-3 divide-y divide-line">
      {items.map((item) => {
        const frame = frameOf(item, clock)
        const text = describeItem(item)
        return (
          <li key={item.key} className="flex items-center gap-3 py-1.5">
            <span className="w-24 shrink-0">
              {frame === null ? (
                <span className="text-xs text-ink-3">Everywhere</span>
              ) : (
                <button
                  type="button"
                  onClick={() => onGo(frame)}
                  className="timecode rounded-sm text-xs text-brand-ink hover:underline"
                >
                  {clock.timecode(frame)}
                </button>
              )}
            </span>
            <span className="min-w-0 grow break-words">{text}</span>
            <Button aria-label={`Revert: ${text}`} onClick={() => onRevert([item])}>
              Revert
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
