import { ChevronDown, Download, History, Link2 } from 'lucide-react'
import { Link } from 'react-router'
import { cutSize } from '../../../domain/cuts/cut-times.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import type { CutState } from './cut-state.ts'
import type { CutView } from './cut-view.ts'
import { useCut } from './cut-context.ts'
import { lengthText } from './length-text.ts'
import { rateText, sizeText } from './timeline-fields.tsx'

export type CutDialog = 'settings' | 'versions' | 'delete' | 'help' | 'sources' | 'export' | 'share'

/** Names the cut, says whether it is saved, and its length against its target. */
export function CutHeader({ onOpen }: { onOpen: (dialog: CutDialog) => void }) {
  const { state, view, project } = useCut()
  const { cut } = state
  return (
    <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-panel px-4 py-1 max-sm:px-3">
      <p className="flex min-w-0 items-center gap-1 text-ink-3">
        <Link
          to={cut.project_id ? `/library?project_id=${cut.project_id}` : '/library'}
          className="max-w-48 truncate hover:text-ink max-sm:hidden"
        >
          {project?.name ?? (cut.project_id ? '…' : 'No project')}
        </Link>
        <span className="max-sm:hidden">/</span>
        <Link to="/cuts" className="hover:text-ink max-sm:hidden">
          Cuts
        </Link>
        <span className="max-sm:hidden">/</span>
        <Menu
          align="start"
          trigger={
            <Button look="quiet" className="min-w-0 font-semibold text-ink!">
              <span className="truncate">{cut.name}</span>
              <ChevronDown size={14} aria-hidden />
            </Button>
          }
        >
          <MenuItem onSelect={() => onOpen('settings')}>Name, target, rate and size…</MenuItem>
          <MenuItem onSelect={() => onOpen('versions')}>Earlier versions…</MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={() => onOpen('delete')}>
            Delete this cut…
          </MenuItem>
        </Menu>
      </p>
      <Button
        look="quiet"
        title="Rate, size and start of the cut"
        onClick={() => onOpen('settings')}
      >
        <span className="figures text-xs">{formatText(state, view)}</span>
      </Button>
      <Saved />
      <span className="grow" />
      <Length />
      <Button onClick={() => onOpen('share')}>
        <Link2 size={14} aria-hidden /> Share
      </Button>
      <Button look="primary" onClick={() => onOpen('export')} disabled={cut.ranges.length === 0}>
        <Download size={14} aria-hidden /> Export <Kbd>E</Kbd>
      </Button>
    </header>
  )
}

/** "25 fps · 1920 × 1080 · 01:00:00:00" */
function formatText({ cut, sources }: CutState, view: CutView): string {
  const size = cutSize(cut, sources)
  const parts = [rateText(cut), size && sizeText(size), view.time(0)]
  return parts.filter(Boolean).join(' · ')
}

function Saved() {
  const { cut, saveState, save } = useCut().state
  if (saveState === 'waiting' || saveState === 'refused') {
    return (
      <p role="status" className="flex items-center gap-2 text-xs text-warn">
        Not saved. Changes are kept here.
        <button type="button" className="underline" onClick={() => void save()}>
          Retry
        </button>
      </p>
    )
  }
  const time = new Date(cut.updated_at).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
  })
  return (
    <p role="status" className="flex items-center gap-1.5 text-xs text-ink-3 max-sm:order-last">
      <History size={13} aria-hidden />
      {saveState === 'saved' ? `Saved ${time} · version ${cut.version}` : 'Saving…'}
    </p>
  )
}

function Length() {
  const { state, view } = useCut()
  const target = state.cut.target_seconds
  const over = target === null ? 0 : Math.round(view.frames / view.framesPerSecond - target)
  return (
    <p className="flex items-baseline gap-2 text-xs text-ink-3 max-sm:order-last">
      Length{' '}
      <span className="timecode text-sm font-medium text-ink">{view.length(view.frames)}</span>
      {target !== null && (
        <>
          <span className={`timecode ${over > 0 ? 'text-warn' : ''}`}>
            {over > 0 ? '+' : over < 0 ? '−' : ''}
            {lengthText(Math.abs(over))}
          </span>
          <span>of {lengthText(target)}</span>
        </>
      )}
    </p>
  )
}
