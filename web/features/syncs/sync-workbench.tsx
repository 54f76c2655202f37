/** /syncs/:id once it has ended: angles above, every track on one clock below. */
import { useState } from 'react'
import type { ComponentType } from 'react'
import type { Sync } from '../../../contract/footage/syncs.ts'
import type { ExportSubject } from '../../saved/export-file.ts'
import { Kbd } from '../../keys/kbd.tsx'
import { useShortcuts } from '../../keys/shortcuts.tsx'
import type { Shortcut } from '../../keys/shortcuts.tsx'
import { pressPlace } from './place-menu.tsx'
import { SyncAngles } from './sync-angles.tsx'
import { SyncContext, useOpenSync } from './sync-context.ts'
import type { OpenSync } from './sync-context.ts'
import { SyncHeader } from './sync-header.tsx'
import { SyncInspector } from './sync-inspector.tsx'
import { SyncTimeline } from './sync-timeline.tsx'
import { SyncTransport } from './sync-transport.tsx'
import { SyncViewer } from './sync-viewer.tsx'

export function SyncWorkbench({
  sync,
  onAgain,
  exportDialog: ExportDialog,
}: {
  sync: Sync
  onAgain: () => void
  exportDialog: ComponentType<{ subject: ExportSubject; onClose: () => void }>
}) {
  const opened = useOpenSync(sync)
  const [isExporting, setExporting] = useState(false)
  const openExport = () => setExporting(opened.canExport)
  useShortcuts(shortcutsOf(opened, openExport))
  return (
    <SyncContext value={opened}>
      <div className="grid min-h-0 grow grid-rows-[auto_minmax(0,1fr)_minmax(0,auto)] md:h-[calc(100dvh-49px)]">
        <SyncHeader onAgain={onAgain} onExport={openExport} />
        <div className="grid min-h-0 md:grid-cols-[minmax(0,1fr)_388px]">
          <div className="grid min-h-0 min-w-0 grid-rows-[minmax(0,1fr)_auto]">
            <div className="grid min-h-0 min-w-0 bg-surround md:grid-cols-[minmax(0,1fr)_auto]">
              <SyncViewer />
              <SyncAngles />
            </div>
            <SyncTransport />
          </div>
          <div className="min-h-0 overflow-auto border-l border-line bg-panel max-md:border-t max-md:border-l-0">
            <SyncInspector />
            {opened.offset === null && <PlaceAdvice hasReference={Boolean(opened.reference)} />}
          </div>
        </div>
        <section
          aria-label="Tracks"
          className="flex min-h-0 flex-col border-t border-line md:max-h-84"
        >
          <SyncTimeline />
        </section>
      </div>
      {isExporting && (
        <ExportDialog subject={opened.exportSubject()} onClose={() => setExporting(false)} />
      )}
    </SyncContext>
  )
}

function PlaceAdvice({ hasReference }: { hasReference: boolean }) {
  return (
    <p className="p-3 text-sm text-ink-3">
      {hasReference ? (
        <>
          Place it with <Kbd>P</Kbd>, then nudge. It stays out of the export until then.
        </>
      ) : (
        <>
          No sound matches another. Place one clip with <Kbd>P</Kbd>: it becomes the reference, and
          the others are placed by it.
        </>
      )}
    </p>
  )
}

function shortcutsOf(opened: OpenSync, openExport: () => void): Shortcut[] {
  const { sync, rate, move } = opened
  return [
    ...sync.items.slice(0, 9).map((angle, index) => ({
      keys: [String(index + 1)],
      label: `Angle ${index + 1}`,
      run: () => opened.choose(angle.content_id),
    })),
    { keys: [' '], label: 'Play or pause', run: opened.togglePlaying },
    { keys: [','], label: 'One frame earlier', run: () => move(-1 / rate) },
    { keys: ['.'], label: 'One frame later', run: () => move(1 / rate) },
    {
      keys: ['Shift+<', 'Shift+,', '<'],
      label: 'A quarter earlier',
      run: () => move(-0.25 / rate),
    },
    { keys: ['Shift+>', 'Shift+.', '>'], label: 'A quarter later', run: () => move(0.25 / rate) },
    { keys: ['n'], label: 'Next doubt', run: opened.chooseDoubt },
    { keys: ['p'], label: 'Place', run: () => pressPlace(opened.item) },
    { keys: ['b'], label: 'Listen to both', run: opened.toggleBoth },
    { keys: ['e'], label: 'Export', run: openExport },
  ]
}
