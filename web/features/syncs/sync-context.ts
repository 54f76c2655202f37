/** The sync that every part of its screen reads: the chosen track, the clock and the playhead. */
import { createContext, use, useState } from 'react'
import type { Sync, SyncItem } from '../../../contract/footage/syncs.ts'
import { syncExportFormats } from '../../../domain/export-formats.ts'
import type { ExportSubject } from '../../saved/export-file.ts'
import { clockOf, rateOf } from './sync-clock.ts'
import { usePlacing } from './sync-data.ts'
import type { Placing } from './sync-data.ts'
import { useListening } from './use-listening.ts'
import type { Transport } from './use-listening.ts'

export type OpenSync = ReturnType<typeof useOpenSync>

export const SyncContext = createContext<OpenSync | null>(null)

export function useShownSync(): OpenSync {
  const sync = use(SyncContext)
  if (!sync) throw new Error('This part stands outside of a sync.')
  return sync
}

export function useOpenSync(sync: Sync) {
  const placing = usePlacing(sync)
  const rate = rateOf(sync)
  const reference = sync.items.find((item) => item.reference)
  const [chosenId, choose] = useState((reference ?? sync.items[0])?.content_id ?? '')
  const item = sync.items.find(({ content_id: id }) => id === chosenId) ?? sync.items[0]!
  const group = item.group ?? reference?.group ?? 0
  const clock = clockOf(placing, group)
  const offset = placing.offsetOf(item)
  const ownReference = sync.items.find((other) => other.reference && other.group === group)
  const canListen = offset !== null && ownReference !== undefined && ownReference !== item
  const playing = useTransport(clock.common?.start ?? 0, canListen)
  const { hearMoment } = useListening({
    placing,
    item,
    reference: ownReference,
    transport: playing.transport,
    until: clock.end,
    onTime: playing.goOn,
    onEnd: playing.end,
  })
  const doubts = sync.items.filter(({ group: own }) => own === null)
  return {
    ...playing,
    sync,
    placing,
    rate,
    reference,
    item,
    choose,
    group,
    clock,
    offset,
    canListen,
    at: playing.transport.at,
    doubts,
    move: (seconds: number): void => {
      if (item.reference || offset === null) return
      placing.place(item, offset + seconds)
      hearMoment()
    },
    place: (target: SyncItem, second: number): void => {
      if (target.group === null) placing.place(target, second)
    },
    chooseDoubt: (): void => {
      const index = doubts.findIndex(({ content_id: id }) => id === chosenId)
      choose(doubts[(index + 1) % Math.max(1, doubts.length)]?.content_id ?? chosenId)
    },
    canExport: sync.items.length - doubts.length >= 2,
    exportSubject: () => syncExport(placing, group, item),
  }
}

/** Describes the group on the screen to the Export dialog. */
function syncExport(
  { sync, save, isCorrected }: Placing,
  group: number,
  chosen: SyncItem,
): ExportSubject {
  const corrected = sync.items.filter((item) => !item.reference && isCorrected(item))
  const placed = sync.items.filter((item) => item.group === group)
  return {
    exported: { sync: sync.id },
    title: `Export “${sync.name}”`,
    formats: syncExportFormats,
    uses: {
      fcpxml: 'A multicam clip, and a project that uses it',
      xml: 'A track for each camera, stacked',
      otio: 'A stack with a track for each item',
      edl: `One angle: ${chosen.name}`,
      csv: 'A row for each angle, with its offset',
    },
    holds: `${placed.length} of ${sync.items.length} in sync`,
    doubts: sync.items
      .filter((item) => item.group !== group)
      .map(({ name }) => `${name} is not in this group, and is left out.`),
    project: null,
    // A move that was refused is taken back on the screen: the person looks again first.
    prepare: save,
    decided: (format) => ({
      group: String(group),
      correct_drift: corrected.map((item) => item.content_id).join(',') || 'none',
      ...(format === 'edl' ? { angle: chosen.content_id } : {}),
    }),
    settings: { hasMedia: true },
  }
}

function useTransport(start: number, canListen: boolean) {
  const [transport, setTransport] = useState<Transport>({
    at: start,
    isPlaying: false,
    isBoth: false,
    jumps: 0,
  })
  return {
    transport,
    goOn: (at: number): void => setTransport((was) => ({ ...was, at })),
    end: (): void => setTransport((was) => ({ ...was, isPlaying: false })),
    seek: (at: number): void => setTransport((was) => ({ ...was, at, jumps: was.jumps + 1 })),
    togglePlaying: (): void =>
      setTransport((was) => ({ ...was, isPlaying: !was.isPlaying, isBoth: false })),
    toggleBoth: (): void => {
      if (!canListen) return
      setTransport((was) => {
        const isOn = !(was.isPlaying && was.isBoth)
        return { ...was, isBoth: isOn, isPlaying: isOn }
      })
    },
  }
}
