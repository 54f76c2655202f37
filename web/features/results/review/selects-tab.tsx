import { ListPlus, Trash2 } from 'lucide-react'
import type { Select as SelectRange } from '../../../../contract/footage/review.ts'
import { counted } from '../../../app/format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { controlClass } from '../../../ui/field.tsx'
import { isSingleKey } from '../../../keys/shortcuts.tsx'
import { framesOf } from '../viewer/reel.ts'
import { useWorkbench } from '../workbench-context.ts'
import type { AddedRange } from '../workbench-context.ts'

export function SelectsTab() {
  const { state, reel, addToCut } = useWorkbench()
  const { selects } = state.review
  if (selects.length === 0) {
    return (
      <EmptyState title="No selects yet">
        Select words of the transcript, or press I and O around a passage, and then H. Exports can
        hold just your selects.
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <p className="grow text-xs text-ink-3">
          {counted(selects.length, 'select')} ·{' '}
          <span className="timecode">{reel.length(selects.map(framesOf))}</span>
        </p>
        {addToCut && (
          <Button onClick={() => addToCut(selects.map(rangeOf))}>
            <ListPlus size={14} aria-hidden /> Add all to cut
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line">
        {selects.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </ul>
    </div>
  )
}

function Row({ item }: { item: SelectRange }) {
  const { state, reel, playhead, addToCut } = useWorkbench()
  return (
    // The buttons in it take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className="flex items-center gap-2 py-2"
      onKeyDown={(event) => {
        if (!addToCut || !isSingleKey(event, 'a')) return
        event.preventDefault()
        event.stopPropagation()
        addToCut([rangeOf(item)])
      }}
    >
      <div className="min-w-0 grow">
        <input
          aria-label="Name of the select"
          value={item.name}
          maxLength={200}
          onChange={(event) => state.changeSelect(item.id, { name: event.target.value })}
          onKeyDown={(event) => event.stopPropagation()}
          className={controlClass}
        />
        <button
          type="button"
          onClick={() => playhead.seek(item.start_frame)}
          className="timecode mt-1 rounded-sm text-xs text-ink-3 hover:text-brand-ink"
        >
          {reel.timecode(item.start_frame)} – {reel.timecode(item.end_frame)} ·{' '}
          {reel.length([framesOf(item)])}
        </button>
      </div>
      {addToCut && (
        <IconButton
          label={`Add ${item.name} to a cut (A)`}
          onClick={() => addToCut([rangeOf(item)])}
        >
          <ListPlus size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton label={`Remove ${item.name}`} onClick={() => state.removeSelect(item.id)}>
        <Trash2 size={14} aria-hidden />
      </IconButton>
    </li>
  )
}

function rangeOf(item: SelectRange): AddedRange {
  return { in: item.start_frame, out: item.end_frame, name: item.name }
}
