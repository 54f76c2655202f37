import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sync, SyncItem } from '../../../contract/footage/syncs.ts'
import { clockOf, clockTimecode, placesFor, playedSpan, rateOf } from './sync-clock.ts'
import type { Placements } from './sync-clock.ts'

type Timed = Pick<
  SyncItem['media'],
  'kind' | 'frame_rate' | 'drop_frame' | 'start_timecode' | 'time_reference'
>

const camera: Timed = {
  kind: 'video',
  frame_rate: '30000/1001',
  drop_frame: true,
  start_timecode: '10:00:00;00',
}

/** Items that all begin with the first one. */
function placed(...media: Timed[]): Placements {
  const items = media.map((item, index) => ({
    content_id: String(index),
    group: 0,
    reference: index === 0,
    media: { duration: 1200, ...item },
  }))
  // The clock reads no more of a sync than this.
  return { sync: { items } as unknown as Sync, offsetOf: () => 0, stretchOf: () => 1 }
}

function at(placements: Placements, second: number): string {
  return clockTimecode(placements, 0, rateOf(placements.sync), second)
}

test('ten minutes after ten o’clock it is ten past ten, in drop frame too', () => {
  assert.equal(at(placed(camera), 0), '10:00:00;00')
  assert.equal(at(placed(camera), 600), '10:10:00;00')
})

test('a flag of drop frame at a rate that has none means nothing', () => {
  const odd = { ...camera, frame_rate: '25/1' }
  assert.equal(at(placed(odd), 600), '10:10:00:00')
})

test('the clock of a recorder counts at its own rate', () => {
  const recorder: Timed = {
    kind: 'audio',
    frame_rate: null,
    drop_frame: false,
    start_timecode: '09:59:59:24',
  }
  const film = { ...camera, frame_rate: '24/1', drop_frame: false, start_timecode: null }
  assert.equal(at(placed(recorder, film), 0), '09:59:59:23')
  // 35,999.94 s after midnight are 35,999.96 s to 1/25 s.
  const time_reference = { samples: 1_727_997_120, sample_rate: 48_000 }
  const fast = { ...film, frame_rate: '50/1' }
  assert.equal(at(placed({ ...recorder, time_reference }, fast), 0), '09:59:59:47')
  assert.equal(at(placed(recorder, fast), 0), '09:59:59:48')
})

/** Items of which no sound matched another. */
function alone(...durations: number[]): Placements {
  const items = durations.map((duration, index) => ({
    content_id: String(index),
    group: null,
    reference: false,
    found_offset: '3/1',
    timecode_offset: null,
    media: { ...camera, frame_rate: '25/1', start_timecode: null, duration },
  }))
  return { sync: { items } as unknown as Sync, offsetOf: () => null, stretchOf: () => 1 }
}

test('where nothing matched the clock runs from zero, as long as the longest clip', () => {
  const placing = alone(12, 30)
  assert.deepEqual(clockOf(placing, 0), { start: 0, end: 30, common: null })
  assert.equal(at(placing, clockOf(placing, 0).common?.start ?? 0), '00:00:00:00')
})

test('without a reference the first clip becomes it; then the others are placed by it', () => {
  const { sync } = alone(12, 30)
  const labels = () => placesFor(sync, sync.items[1]!, 2).map(({ label }) => label)
  assert.deepEqual(placesFor(sync, sync.items[1]!, 2), [{ label: 'As the reference', offset: 0 }])
  Object.assign(sync.items[0]!, { reference: true, group: 0, method: 'hand' })
  // Of two clips each was measured against the other.
  assert.deepEqual(labels(), [
    'At the playhead, +00:00:02:00.0',
    'At the best guess, +00:00:03:00.0',
  ])
  sync.items.push({ ...sync.items[1]!, content_id: '2' })
  assert.deepEqual(labels(), ['At the playhead, +00:00:02:00.0'])
})

test('a clip of which a part was analysed plays from where that part begins', () => {
  const media = { duration: 60, frames: 1500 } as SyncItem['media']
  const span = (start_frame: number, frames: number) => {
    const proxy = { url: '', width: 640, height: 360, frame_rate: '25/1', frames, start_frame }
    return playedSpan({
      media,
      pictures: { proxy, poster_url: null, sprite: null, waveform: null },
    })
  }
  assert.deepEqual(span(250, 500), { start: 10, end: 30 })
  assert.deepEqual(span(0, 1500), { start: 0, end: 60 })
  const pictures = { proxy: null, poster_url: null, sprite: null, waveform: null }
  assert.deepEqual(playedSpan({ media, pictures }), { start: 0, end: 60 })
})
