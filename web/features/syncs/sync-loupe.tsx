/** The sound of the tracks under a magnifying glass, two frames to each side, to the sample. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { SyncItem } from '../../../contract/footage/syncs.ts'
import { messageOf } from '../../app/failures.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { compareSounds, hardSound, onsetOf } from './line-up.ts'
import type { LinedUp } from './line-up.ts'
import { clockTimecode, spanOf, tracksOf } from './sync-clock.ts'
import { useShownSync } from './sync-context.ts'
import type { Placing } from './sync-data.ts'
import { readSamples, sampleRate } from './sync-sound.ts'
import { levelsOf } from './wave-path.tsx'

const sideFrames = 2
/** Where the sounds would have to be moved further than this, they are not the same. */
const maxLagFrames = 2
const nearSeconds = 15
/** The loupe is wider than the sound in it, and both must lie within the track. */
const sideSeconds = 0.25
const maxRows = 4
const rowHeight = 30
/** Below this the two sounds are too unlike to say how they lie. */
const minLikeness = 0.25

export function SyncLoupe() {
  const { placing, item, group, rate, at } = useShownSync()
  const [isAtPlayhead, setAtPlayhead] = useState(false)
  const rows = rowsOf(placing, item, group)
  const places = rows.map((row) => [row.content_id, placing.offsetOf(row), placing.stretchOf(row)])
  // A transient stays the same while the playhead runs through the seconds around it.
  const near = isAtPlayhead ? at : Math.round(at / nearSeconds) * nearSeconds
  const { data, error, refetch } = useQuery({
    queryKey: ['sync-loupe', placing.sync.id, isAtPlayhead, near, places],
    queryFn: () => look({ placing, rows, item, rate, near, isAtPlayhead }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const title = !data
    ? 'Loupe'
    : `${isAtPlayhead ? 'Playhead' : 'Clap or transient'} at ${clockTimecode(placing, group, rate, data.centre)}, ±${sideFrames} frames`
  const chosenAt = rows.indexOf(item)
  return (
    <section aria-label="Loupe" className="p-3">
      <p className="mb-1.5 flex justify-between gap-3 text-xs text-ink-2">
        <span className="figures">{title}</span>
        {data && chosenAt > 0 && <LineUp linedUp={data.linedUp[chosenAt] ?? null} rate={rate} />}
      </p>
      {error && !data ? (
        <p role="alert" className="flex items-center justify-between gap-3 text-xs text-bad">
          {messageOf(error, 'The sound could not be loaded.')}
          <Button look="quiet" onClick={() => void refetch()}>
            Retry
          </Button>
        </p>
      ) : !data ? (
        <Skeleton className="h-22" />
      ) : (
        <div className="rounded-sm border border-line bg-page">
          {rows.map((row, index) => (
            <Row
              key={row.content_id}
              number={placing.sync.items.indexOf(row) + 1}
              samples={data.windows[index] ?? new Float32Array()}
              isChosen={row === item}
            />
          ))}
        </div>
      )}
      <div role="group" aria-label="Loupe shows" className="mt-1.5 flex gap-1">
        {[false, true].map((value) => (
          <Button
            key={String(value)}
            look={value === isAtPlayhead ? 'secondary' : 'quiet'}
            aria-pressed={value === isAtPlayhead}
            onClick={() => setAtPlayhead(value)}
          >
            {value ? 'Playhead' : 'Clap or transient'}
          </Button>
        ))}
      </div>
    </section>
  )
}

/** The reference, the chosen track, then others. */
function rowsOf(placing: Placing, item: SyncItem, group: number): SyncItem[] {
  const placed = tracksOf(placing.sync)
    .map((track) => track.item)
    .filter((track) => track.group === group && placing.offsetOf(track) !== null)
  const first = placed.filter((track) => track.reference || track === item)
  const others = placed.filter((track) => !first.includes(track))
  return [...first, ...others].slice(0, maxRows)
}

interface Looked {
  centre: number
  windows: Float32Array[]
  /** Result of lining up each row with the first. */
  linedUp: (LinedUp | null)[]
}

async function look({
  placing,
  rows,
  item,
  rate,
  near,
  isAtPlayhead,
}: {
  placing: Placing
  rows: readonly SyncItem[]
  item: SyncItem
  rate: number
  near: number
  isAtPlayhead: boolean
}): Promise<Looked> {
  const read = (row: SyncItem, start: number, seconds: number) =>
    readSamples(
      { syncId: placing.sync.id, contentId: row.content_id },
      { start: (start - (placing.offsetOf(row) ?? 0)) / placing.stretchOf(row), seconds },
    )
  const [reference] = rows
  // Only where the chosen track runs too is there something to compare.
  const own = spanOf(item, {
    offset: placing.offsetOf(item) ?? 0,
    stretch: placing.stretchOf(item),
  })
  const around = Math.min(own.end, Math.max(own.start, near))
  const range = {
    start: Math.max(0, own.start + sideSeconds, around - nearSeconds),
    end: Math.min(own.end - sideSeconds, around + nearSeconds),
  }
  const centre =
    isAtPlayhead || !reference ? near : ((await findHardSound(reference, range, read)) ?? around)
  const reach = (sideFrames + maxLagFrames) / rate
  const windows = await Promise.all(rows.map((row) => read(row, centre - reach, 2 * reach)))
  const linedUp = windows.map((samples, index) =>
    index === 0
      ? null
      : compareSounds(samples, windows[0]!, { rate: sampleRate, maxLag: maxLagFrames / rate }),
  )
  const spare = Math.round((maxLagFrames / rate) * sampleRate)
  return {
    centre,
    windows: windows.map((samples) => samples.subarray(spare, samples.length - spare)),
    linedUp,
  }
}

async function findHardSound(
  reference: SyncItem,
  range: { start: number; end: number },
  read: (row: SyncItem, start: number, seconds: number) => Promise<Float32Array>,
): Promise<number | null> {
  const { duration } = reference.media
  const coarse = hardSound(levelsOf(reference.waveform), duration, range)
  if (coarse === null) return null
  const start = coarse - 0.06
  return start + onsetOf(await read(reference, start, 0.12), sampleRate) / sampleRate
}

function LineUp({ linedUp, rate }: { linedUp: LinedUp | null; rate: number }) {
  if (!linedUp || linedUp.likeness < minLikeness) {
    return <span className="text-ink-3">no clear match here</span>
  }
  const frames = Math.abs(linedUp.lag) * rate
  const tenths = Math.max(0.1, Math.ceil(frames * 10) / 10).toFixed(1)
  return frames <= 0.5 ? (
    <span className="text-good">lined up within {tenths} f</span>
  ) : (
    <span className="text-warn">
      {tenths} f too {linedUp.lag > 0 ? 'late' : 'early'}
    </span>
  )
}

function Row({
  number,
  samples,
  isChosen,
}: {
  number: number
  samples: Float32Array
  isChosen: boolean
}) {
  const path = useMemo(() => pathOf(samples), [samples])
  return (
    <div className={classes('relative pl-6', isChosen && 'bg-brand-wash')}>
      <span className="timecode absolute left-2 text-xs text-ink-3">{number}</span>
      <svg
        role="img"
        aria-label={`Track ${number} under the loupe`}
        viewBox={`0 0 ${columns} ${rowHeight}`}
        preserveAspectRatio="none"
        className="block h-7.5 w-full"
      >
        <path
          d={path}
          vectorEffect="non-scaling-stroke"
          className={classes('fill-none', isChosen ? 'stroke-brand' : 'stroke-lane-audio')}
        />
        <line
          x1={columns / 2}
          x2={columns / 2}
          y2={rowHeight}
          vectorEffect="non-scaling-stroke"
          className="stroke-playhead"
        />
      </svg>
    </div>
  )
}

const columns = 320

/** From the lowest to the highest sample of each column. */
function pathOf(samples: Float32Array): string {
  const loudest = samples.reduce((high, sample) => Math.max(high, Math.abs(sample)), 0.001)
  const y = (level: number): string => (rowHeight / 2 - (level / loudest) * 13).toFixed(1)
  const each = samples.length / columns
  const strokes = Array.from({ length: columns }, (_, column) => {
    const part = samples.subarray(Math.floor(column * each), Math.ceil((column + 1) * each))
    const [low, high] = part.reduce<[number, number]>(
      ([min, max], sample) => [Math.min(min, sample), Math.max(max, sample)],
      [Infinity, -Infinity],
    )
    return part.length === 0 ? '' : `M${column + 0.5} ${y(high)}V${y(low - 0.02 * loudest)}`
  })
  return strokes.join('')
}
