/** /syncs/:id once it has ended: angles above, every track on one clock below. */
import { Download, Pause, Play, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { api as endpoints } from '../../../contract/api.ts'
import type { Sync, SyncExportFormat, SyncItem } from '../../../contract/syncs.ts'
import { toTimecode } from '../../../contract/timecode.ts'
import { counted } from '../../app/figures.ts'
import { saveFile } from '../../app/save-file.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import type { Shortcut } from '../../ui/shortcuts.tsx'
import { clockOf, rateOf, rulerOf, secondsOf, usePlacing } from './sync-data.ts'
import { SyncInspector } from './sync-inspector.tsx'
import { SyncTimeline } from './sync-timeline.tsx'
import { SyncViewer } from './sync-viewer.tsx'
import { WavePath } from './wave-path.tsx'

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
  const place = (target: SyncItem, second: number): void => {
    if (reference && target.group === null) placing.place(target, second)
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
    { keys: ['n'], label: 'Next doubt', run: () => setChosen(nextDoubt(doubts, chosenId)) },
    { keys: ['p'], label: 'Place at the playhead', run: () => place(item, at) },
    { keys: ['e'], label: 'Export multicam', run: () => save('fcpxml') },
  ]
  useShortcuts(shortcuts)
  const placedCount = sync.items.filter(({ group: own }) => own !== null).length
  const { format, startFrame } = rulerOf(placing, group, rate)
  return (
    <div className="grid min-h-0 grow grid-rows-[auto_minmax(0,1fr)_minmax(0,auto)] md:h-[calc(100dvh-49px)]">
      <header className="flex min-h-11 flex-wrap items-center gap-3 border-b border-line bg-panel px-4 py-1.5">
        <p className="flex min-w-0 items-center gap-1.5 text-ink-3 max-sm:hidden">
          <Link to="/library" className="hover:text-ink">
            Library
          </Link>
          <span>/</span>
          <Link to="/syncs" className="hover:text-ink">
            Syncs
          </Link>
          <span>/</span>
        </p>
        <h1 className="min-w-0 truncate font-semibold">{sync.name}</h1>
        <Badge tone={placedCount === sync.items.length ? 'good' : 'warn'} dot>
          {placedCount} of {sync.items.length} in sync
        </Badge>
        <p className="text-ink-3 max-lg:hidden">{aboutText(sync, rate, clock.common)}</p>
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
                      <svg
                        aria-hidden
                        viewBox="0 0 1 512"
                        preserveAspectRatio="none"
                        className="absolute size-full p-2"
                      >
                        <WavePath waveform={angle.waveform} />
                      </svg>
                    )}
                    <span className="absolute bottom-0 left-0 max-w-full truncate rounded-sm bg-panel/80 px-1">
                      {angle.name}
                    </span>
                    {placing.offsetOf(angle) === null && (
                      <span className="absolute top-1 right-1">
                        <Badge tone="warn">not in sync</Badge>
                      </span>
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
              {toTimecode(startFrame + Math.max(0, Math.round((at - clock.start) * rate)), format)}
            </output>
            <Button look="primary" onClick={() => setPlaying((was) => !was)}>
              {isPlaying ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
              {isPlaying ? 'Pause' : 'Play'}
            </Button>
            <span className="grow" />
            {doubts.length > 0 && (
              <Button look="quiet" onClick={() => setChosen(nextDoubt(doubts, chosenId))}>
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

function nextDoubt(doubts: readonly SyncItem[], chosenId: string): string {
  const at = doubts.findIndex(({ content_id: id }) => id === chosenId)
  return doubts[(at + 1) % Math.max(1, doubts.length)]?.content_id ?? chosenId
}

/** 3 cameras, 1 recorder · 25 fps · all run together for 26 s */
function aboutText(
  sync: Sync,
  rate: number,
  common: { start: number; end: number } | null,
): string {
  const cameras = sync.items.filter(({ media }) => media.kind === 'video').length
  const parts = [
    [counted(cameras, 'camera'), counted(sync.items.length - cameras, 'recorder')]
      .filter((text) => !text.startsWith('0'))
      .join(', '),
    `${Math.round(rate * 1000) / 1000} fps`,
    ...(common ? [`all in sync run together for ${lengthText(common.end - common.start)}`] : []),
  ]
  return parts.join(' · ')
}

function lengthText(seconds: number): string {
  const whole = Math.floor(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
