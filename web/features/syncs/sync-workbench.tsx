/** /syncs/:id once it has ended: angles above, every track on one clock below. */
import { useState } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import type { Sync, SyncItem } from '../../../contract/footage/syncs.ts'
import type { SyncExportFormat } from '../../../domain/export-formats.ts'
import { saveFile } from '../../app/save-file.ts'
import { Kbd } from '../../keys/kbd.tsx'
import { useNarrow } from '../../dom/narrow.ts'
import { useShortcuts } from '../../keys/shortcuts.tsx'
import type { Shortcut } from '../../keys/shortcuts.tsx'
import { pressPlace } from './place-menu.tsx'
import { SyncAngles } from './sync-angles.tsx'
import { clockOf, rateOf } from './sync-clock.ts'
import { usePlacing } from './sync-data.ts'
import { SyncHeader } from './sync-header.tsx'
import { SyncInspector } from './sync-inspector.tsx'
import { SyncTimeline } from './sync-timeline.tsx'
import { SyncTransport } from './sync-transport.tsx'
import { SyncViewer } from './sync-viewer.tsx'
import { useListening } from './use-listening.ts'
import type { Transport } from './use-listening.ts'

export function SyncWorkbench({ sync, onAgain }: { sync: Sync; onAgain: () => void }) {
  const placing = usePlacing(sync)
  const isNarrow = useNarrow()
  const rate = rateOf(sync)
  const reference = sync.items.find((item) => item.reference)
  const [chosenId, setChosen] = useState((reference ?? sync.items[0])?.content_id ?? '')
  const item = sync.items.find(({ content_id: id }) => id === chosenId) ?? sync.items[0]!
  const group = item.group ?? reference?.group ?? 0
  const clock = clockOf(placing, group)
  const [transport, setTransport] = useState<Transport>({
    at: clock.common?.start ?? 0,
    isPlaying: false,
    isBoth: false,
    jumps: 0,
  })
  const change = (part: Partial<Transport>): void => setTransport((was) => ({ ...was, ...part }))
  const seek = (at: number): void => setTransport((was) => ({ ...was, at, jumps: was.jumps + 1 }))
  const { at } = transport
  const offset = placing.offsetOf(item)
  const ownReference = sync.items.find((other) => other.reference && other.group === group)
  const canListen = offset !== null && ownReference !== undefined && ownReference !== item
  const end = (): void => change({ isPlaying: false })
  const { hearMoment } = useListening({
    placing,
    item,
    reference: ownReference,
    transport,
    until: clock.end,
    onTime: (second) => change({ at: second }),
    onEnd: end,
  })
  const move = (seconds: number): void => {
    if (item.reference || offset === null) return
    placing.place(item, offset + seconds)
    hearMoment()
  }
  const place = (target: SyncItem, second: number): void => {
    if (target.group === null) placing.place(target, second)
  }
  const doubts = sync.items.filter(({ group: own }) => own === null)
  const chooseDoubt = (): void => setChosen(nextDoubt(doubts, chosenId))
  const togglePlaying = (): void =>
    setTransport((was) => ({ ...was, isPlaying: !was.isPlaying, isBoth: false }))
  const toggleBoth = (): void => {
    if (!canListen) return
    setTransport((was) => {
      const isOn = !(was.isPlaying && was.isBoth)
      return { ...was, isBoth: isOn, isPlaying: isOn }
    })
  }
  const save = async (format: SyncExportFormat): Promise<void> => {
    if (sync.items.length - doubts.length < 2) return
    // What was not moved is shown where it was; the person looks again before exporting it.
    if (!(await placing.save())) return
    const corrected = sync.items.filter((one) => !one.reference && placing.isCorrected(one))
    const query = {
      format,
      group: String(group),
      correct_drift: corrected.map((one) => one.content_id).join(',') || 'none',
      ...(format === 'edl' ? { angle: chosenId } : {}),
    }
    const name = `${sync.name}.${format}`
    await saveFile(endpoints.exportSync, { params: { id: sync.id }, query, name })
  }
  const shortcuts: Shortcut[] = [
    ...sync.items.slice(0, 9).map((angle, index) => ({
      keys: [String(index + 1)],
      label: `Angle ${index + 1}`,
      run: () => setChosen(angle.content_id),
    })),
    { keys: [' '], label: 'Play or pause', run: togglePlaying },
    { keys: [','], label: 'One frame earlier', run: () => move(-1 / rate) },
    { keys: ['.'], label: 'One frame later', run: () => move(1 / rate) },
    {
      keys: ['Shift+<', 'Shift+,', '<'],
      label: 'A quarter earlier',
      run: () => move(-0.25 / rate),
    },
    { keys: ['Shift+>', 'Shift+.', '>'], label: 'A quarter later', run: () => move(0.25 / rate) },
    { keys: ['n'], label: 'Next doubt', run: chooseDoubt },
    { keys: ['p'], label: 'Place', run: () => pressPlace(item) },
    { keys: ['b'], label: 'Listen to both', run: toggleBoth },
    { keys: ['e'], label: 'Export multicam', run: () => void save('fcpxml') },
  ]
  useShortcuts(shortcuts)
  return (
    <div className="grid min-h-0 grow grid-rows-[auto_minmax(0,1fr)_minmax(0,auto)] md:h-[calc(100dvh-49px)]">
      <SyncHeader
        sync={sync}
        rate={rate}
        common={clock.common}
        onAgain={onAgain}
        onSave={(format) => void save(format)}
      />
      <div className="grid min-h-0 md:grid-cols-[minmax(0,1fr)_388px]">
        <div className="grid min-h-0 min-w-0 grid-rows-[minmax(0,1fr)_auto]">
          <div className="grid min-h-0 min-w-0 bg-surround md:grid-cols-[minmax(0,1fr)_auto]">
            <SyncViewer
              item={item}
              offset={offset}
              stretch={placing.stretchOf(item)}
              transport={transport}
              label={`ANGLE ${sync.items.indexOf(item) + 1} · ${item.name}`}
              onTime={(second) => change({ at: second })}
              onEnd={end}
            />
            <SyncAngles placing={placing} chosen={item} onChoose={setChosen} />
          </div>
          <SyncTransport
            placing={placing}
            group={group}
            rate={rate}
            transport={transport}
            canListen={canListen}
            onSeek={seek}
            onPlay={togglePlaying}
            onListen={toggleBoth}
          />
        </div>
        <div className="min-h-0 overflow-auto border-l border-line bg-panel max-md:border-t max-md:border-l-0">
          <SyncInspector
            placing={placing}
            item={item}
            group={group}
            rate={rate}
            at={at}
            isLoupeShown={!isNarrow}
            onNudge={move}
          />
          {offset === null && (
            <p className="p-3 text-sm text-ink-3">
              {reference ? (
                <>
                  Place it with <Kbd>P</Kbd>, then nudge. It stays out of the export until then.
                </>
              ) : (
                <>
                  No sound matches another. Place one clip with <Kbd>P</Kbd>: it becomes the
                  reference, and the others are placed by it.
                </>
              )}
            </p>
          )}
        </div>
      </div>
      <section
        aria-label="Tracks"
        className="flex min-h-0 flex-col border-t border-line md:max-h-84"
      >
        <SyncTimeline
          placing={placing}
          group={group}
          rate={rate}
          chosen={chosenId}
          at={at}
          onChoose={(target) => setChosen(target.content_id)}
          onSeek={seek}
          onPlace={place}
          onNextDoubt={doubts.length > 0 ? chooseDoubt : null}
        />
      </section>
    </div>
  )
}

function nextDoubt(doubts: readonly SyncItem[], chosenId: string): string {
  const at = doubts.findIndex(({ content_id: id }) => id === chosenId)
  return doubts[(at + 1) % Math.max(1, doubts.length)]?.content_id ?? chosenId
}
