/** /syncs/:id once it has ended: angles above, every track on one clock below. */
import { Download, Pause, Play, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import type { Sync, SyncExportFormat, SyncItem } from '../../../contract/syncs.ts'
import { timecodeFormat, toTimecode } from '../../../contract/timecode.ts'
import { saveFile } from '../../app/save-file.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import type { Shortcut } from '../../ui/shortcuts.tsx'
import { clockOf, rateOf, secondsOf, usePlacing } from './sync-data.ts'
import { SyncInspector } from './sync-inspector.tsx'
import { SyncTimeline } from './sync-timeline.tsx'
import { SyncViewer } from './sync-viewer.tsx'

const formats: readonly { id: SyncExportFormat; name: string }[] = [
  { id: 'fcpxml', name: 'FCPXML multicam clip' },
  { id: 'xml', name: 'XML, stacked tracks (Premiere)' },
  { id: 'otio', name: 'OTIO stack' },
  { id: 'edl', name: 'EDL of this angle' },
  { id: 'csv', name: 'CSV' },
]

export function SyncWorkbench({ sync, onAgain }: { sync: Sync; onAgain: () => void }) {
  const placing = usePlacing(sync)
  const rate = rateOf(sync)
  const reference = sync.items.find((item) => item.reference)
  const [chosenId, setChosen] = useState((reference ?? sync.items[0])?.content_id ?? '')
  const item = sync.items.find(({ content_id: id }) => id === chosenId) ?? sync.items[0]!
  const group = item.group ?? reference?.group ?? 0
  const clock = clockOf(placing, group)
  const [at, setAt] = useState(clock.common?.start ?? 0)
  const [isPlaying, setPlaying] = useState(false)
  const offset = placing.offsetOf(item)
  const move = (seconds: number): void => {
    if (!item.reference && offset !== null) placing.place(item, offset + seconds)
  }
  const place = (target: SyncItem): void => {
    if (reference && target.group === null) placing.place(target, at)
  }
  const doubts = sync.items.filter(({ group: own }) => own === null)
  const save = (format: SyncExportFormat): void => {
    const query = { format, group: String(group), ...(format === 'edl' ? { angle: chosenId } : {}) }
    const name = `${sync.name}.${format === 'xml' ? 'xml' : format}`
    void saveFile(endpoints.exportSync, { params: { id: sync.id }, query, name })
  }
  const shortcuts: Shortcut[] = [
    ...sync.items.slice(0, 9).map((angle, index) => ({
      keys: [String(index + 1)],
      label: `Angle ${index + 1}`,
      run: () => setChosen(angle.content_id),
    })),
    { keys: [' '], label: 'Play or pause', run: () => setPlaying((was) => !was) },
    { keys: [','], label: 'One frame earlier', run: () => move(-1 / rate) },
    { keys: ['.'], label: 'One frame later', run: () => move(1 / rate) },
    { keys: ['Shift+<', 'Shift+,'], label: 'A quarter earlier', run: () => move(-0.25 / rate) },
    { keys: ['Shift+>', 'Shift+.'], label: 'A quarter later', run: () => move(0.25 / rate) },
    { keys: ['n'], label: 'Next doubt', run: () => setChosen(doubts[0]?.content_id ?? chosenId) },
    { keys: ['p'], label: 'Place at the playhead', run: () => place(item) },
    { keys: ['e'], label: 'Export multicam', run: () => save('fcpxml') },
  ]
  useShortcuts(shortcuts)
  const placedCount = sync.items.filter(({ group: own }) => own !== null).length
  const format = timecodeFormat(String(Math.round(rate)), false)
  return (
    <div className="grid min-h-0 grow grid-rows-[auto_minmax(0,1fr)_minmax(0,auto)] md:h-[calc(100dvh-49px)]">
      <header className="flex min-h-11 flex-wrap items-center gap-3 border-b border-line bg-panel px-4 py-1.5">
        <h1 className="min-w-0 truncate font-semibold">{sync.name}</h1>
        <Badge tone={placedCount === sync.items.length ? 'good' : 'warn'} dot>
          {placedCount} of {sync.items.length} in sync
        </Badge>
        <span className="grow" />
        <Button onClick={onAgain}>
          <RefreshCw size={14} aria-hidden /> Sync again
        </Button>
        <Menu
          trigger={
            <Button look="primary" disabled={!reference}>
              <Download size={14} aria-hidden /> Export multicam <Kbd>E</Kbd>
            </Button>
          }
        >
          {formats.map(({ id, name }) => (
            <MenuItem key={id} onSelect={() => save(id)}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      </header>
      <div className="grid min-h-0 md:grid-cols-[minmax(0,1fr)_388px]">
        <div className="grid min-h-0 grid-rows-[minmax(0,1fr)_auto]">
          <div className="grid min-h-0 bg-surround md:grid-cols-[minmax(0,1fr)_180px]">
            <SyncViewer
              item={item}
              offset={offset}
              clock={{ at, isPlaying }}
              label={`ANGLE ${sync.items.indexOf(item) + 1} · ${item.name}`}
              onTime={setAt}
              onEnd={() => setPlaying(false)}
            />
            <ol className="flex min-h-0 gap-2 overflow-auto p-2 md:flex-col">
              {sync.items.map((angle, index) => (
                <li key={angle.content_id} className="shrink-0">
                  <button
                    type="button"
                    aria-label={`Angle ${index + 1}: ${angle.name}`}
                    aria-pressed={angle === item}
                    onClick={() => setChosen(angle.content_id)}
                    className={classes(
                      'relative grid aspect-video w-40 place-items-center overflow-hidden rounded-sm border-2 bg-panel text-xs',
                      angle === item ? 'border-brand' : 'border-line',
                    )}
                  >
                    {angle.pictures.poster_url ? (
                      <img
                        src={angle.pictures.poster_url}
                        alt=""
                        className="size-full object-cover"
                      />
                    ) : (
                      <span className="truncate px-2 text-ink-2">{angle.name}</span>
                    )}
                    <span className="absolute top-1 left-1">
                      <Kbd>{index + 1}</Kbd>
                    </span>
                  </button>
                </li>
              ))}
            </ol>
          </div>
          <div className="flex h-11 items-center gap-3 border-t border-line px-3">
            <output aria-label="Playhead" className="timecode text-lg">
              {toTimecode(Math.max(0, Math.round((at - clock.start) * rate)), format)}
            </output>
            <Button look="primary" onClick={() => setPlaying((was) => !was)}>
              {isPlaying ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
              {isPlaying ? 'Pause' : 'Play'}
            </Button>
            <span className="grow" />
            {doubts.length > 0 && (
              <Button look="quiet" onClick={() => setChosen(doubts[0]!.content_id)}>
                Next doubt <Kbd>N</Kbd>
              </Button>
            )}
          </div>
        </div>
        <div className="min-h-0 overflow-auto border-l border-line bg-panel max-md:border-t max-md:border-l-0">
          <SyncInspector
            item={item}
            number={sync.items.indexOf(item) + 1}
            offset={offset}
            rate={rate}
            onNudge={move}
            onReset={() => placing.place(item, null)}
          />
          {doubts.length > 0 && offset === null && secondsOf(item.found_offset) !== null && (
            <p className="p-3 text-sm text-ink-3">
              Place it at the playhead with <Kbd>P</Kbd>, then nudge. It stays out of the export
              until then.
            </p>
          )}
        </div>
      </div>
      <section aria-label="Tracks" className="min-h-0 border-t border-line md:max-h-84">
        <SyncTimeline
          placing={placing}
          group={group}
          rate={rate}
          chosen={chosenId}
          at={at}
          onChoose={(target) => setChosen(target.content_id)}
          onSeek={setAt}
          onPlace={place}
        />
      </section>
    </div>
  )
}
