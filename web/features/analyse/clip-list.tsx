import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { BatchQuote } from '../../../contract/footage/batches.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { decimalsOf, lengthText, sumMicros } from '../../app/format.ts'
import { classes } from '../../ui/classes.ts'
import { useNarrow } from '../../dom/narrow.ts'

type Item = BatchQuote['items'][number]

/** The clips with their prices; unticking one leaves it out. Folded at first on a phone. */
export function ClipList({
  items,
  left,
  onChange,
}: {
  items: readonly Item[]
  left: ReadonlySet<string>
  onChange: (left: ReadonlySet<string>) => void
}) {
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(!isNarrow)
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  const decimals = decimalsOf(items.map((item) => sumMicros([item.usd])))
  const refused = items.filter((item) => item.refused).length
  return (
    <div className="min-w-0">
      {isNarrow ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex h-11 items-center gap-1.5 text-sm font-medium"
        >
          By clip
          {refused > 0 && <span className="text-xs font-normal text-warn">{refused} left out</span>}
          <ChevronDown size={14} aria-hidden className={classes(isOpen && 'rotate-180')} />
        </button>
      ) : (
        <div aria-hidden className="flex h-8 items-center gap-2 pl-5.5 text-xs text-ink-3">
          <span className="grow">Clip</span>
          <span className="w-12 text-right">Length</span>
          <span className="w-18 text-right">Price</span>
        </div>
      )}
      {isOpen && (
        <ul aria-label="Clips" className="max-h-90 overflow-y-auto">
          {items.map((item) => (
            <Clip
              key={item.content_id}
              item={item}
              isChosen={!left.has(item.content_id)}
              decimals={decimals}
              onToggle={() => toggle(item.content_id)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function Clip({
  item,
  isChosen,
  decimals,
  onToggle,
}: {
  item: Item
  isChosen: boolean
  decimals: number
  onToggle: () => void
}) {
  return (
    <li>
      <label className="flex min-h-7.5 flex-wrap items-center gap-x-2 text-sm pointer-coarse:min-h-11">
        <input
          type="checkbox"
          disabled={item.refused !== null}
          checked={!item.refused && isChosen}
          onChange={onToggle}
          className="size-3.5 accent-brand pointer-coarse:size-6"
        />
        <span className="flex min-w-0 flex-1 items-baseline gap-2">
          <span className="truncate" title={item.name ?? undefined}>
            {item.name ?? 'Deleted clip'}
          </span>
          {!item.refused && <Note item={item} />}
        </span>
        {item.refused ? (
          <span className="basis-full pb-1 pl-5.5 text-xs text-warn pointer-coarse:pl-8">
            Left out: {item.refused.message}
          </span>
        ) : (
          <>
            <span className="timecode w-12 shrink-0 text-right text-ink-3">
              {lengthText(item.seconds)}
            </span>
            <span className="timecode w-18 shrink-0 text-right">
              {formatUsd(sumMicros([item.usd]), decimals)}
            </span>
          </>
        )}
      </label>
    </li>
  )
}

/** Why a clip costs less than its length. */
function Note({ item: { lines } }: { item: Item }) {
  const skipped = lines.filter((line) => line.skipped).length
  const isKnown = lines.length > 0 && lines.every((line) => line.reused || line.skipped)
  const text = isKnown ? 'all known' : skipped > 0 ? `${skipped} skipped` : ''
  const reason = lines.find((line) => line.skipped)?.skipped ?? undefined
  return (
    <span className="shrink-0 text-xs text-ink-3" title={reason}>
      {text}
    </span>
  )
}
