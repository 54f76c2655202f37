import { Download, RefreshCw } from 'lucide-react'
import { Link } from 'react-router'
import type { Sync } from '../../../contract/footage/syncs.ts'
import { counted } from '../../app/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import { lengthText } from './sync-clock.ts'
import { useShownSync } from './sync-context.ts'

export function SyncHeader({ onAgain, onExport }: { onAgain: () => void; onExport: () => void }) {
  const { sync, rate, clock, canExport } = useShownSync()
  const placedCount = sync.items.filter(({ group }) => group !== null).length
  return (
    <header className="flex min-h-11 flex-wrap items-center gap-3 border-b border-line bg-panel px-4 py-1.5">
      <SyncPath />
      <h1 className="min-w-0 truncate font-semibold" title={sync.name}>
        {sync.name}
      </h1>
      <Badge tone={placedCount === sync.items.length ? 'good' : 'warn'} dot>
        {placedCount} of {sync.items.length} in sync
      </Badge>
      <p className="min-w-0 truncate text-ink-3 max-lg:hidden">
        {aboutText(sync, rate, clock.common)}
      </p>
      <span className="grow" />
      <Button onClick={onAgain}>
        <RefreshCw size={14} aria-hidden /> Sync again
      </Button>
      <Button look="primary" disabled={!canExport} onClick={onExport}>
        <Download size={14} aria-hidden /> Export <Kbd>E</Kbd>
      </Button>
    </header>
  )
}

export function SyncPath() {
  return (
    <p className="flex min-w-0 shrink-0 items-center gap-1.5 text-ink-3 max-sm:hidden">
      <Link to="/library" className="hover:text-ink">
        Library
      </Link>
      <span>/</span>
      <Link to="/syncs" className="hover:text-ink">
        Syncs
      </Link>
      <span>/</span>
    </p>
  )
}

/** 3 cameras, 1 recorder · 25 fps · all run together for 26 s */
function aboutText(
  sync: Sync,
  rate: number,
  common: { start: number; end: number } | null,
): string {
  const cameras = sync.items.filter(({ media }) => media.kind === 'video').length
  const placed = sync.items.filter(({ group }) => group !== null).length
  const parts = [
    [counted(cameras, 'camera'), counted(sync.items.length - cameras, 'recorder')]
      .filter((text) => !text.startsWith('0'))
      .join(', '),
    `${Math.round(rate * 1000) / 1000} fps`,
    ...(common && placed > 1
      ? [`all in sync run together for ${lengthText(common.end - common.start)}`]
      : []),
  ]
  return parts.join(' · ')
}
