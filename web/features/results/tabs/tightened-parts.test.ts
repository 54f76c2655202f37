import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ExportOptions } from '../../../../contract/footage/export-options.ts'
import { toTimecode } from '../../../../domain/time/timecode.ts'
import { buildJobTimeline } from '../../../../engine/timeline/build-job.ts'
import { makeFindings } from '../../../../test/export-parsers/findings.ts'
import { reelOf } from '../viewer/reel.ts'
import { tightenedParts } from './tightened-parts.ts'

type Found = ReturnType<typeof makeFindings>

function onScreen(findings: Found, handle: number, minPart = 1) {
  const words = findings.transcription?.words
  const removals = findings.cutpoints?.removals ?? []
  const tighten = { handle_frames: handle, min_part_frames: minPart }
  const reel = reelOf(findings.media, findings)
  return { reel, ...tightenedParts({ removals, words }, reel, tighten) }
}

function exported(findings: Found, handle: number, minPart = 1) {
  const options = { which: 'removals-kept', handle_frames: handle, min_part_frames: minPart }
  const input = { findings, source: { name: 'a.mov' }, options: ExportOptions.parse(options) }
  return buildJobTimeline(input)
}

test('the screen removes what an export removes where frames are named by time', () => {
  const findings = makeFindings({
    rate: '25/2',
    frames: 500,
    removals: [{ kind: 'silence', start: 50, end: 60 }],
  })
  const clips = exported(findings, 5).tracks[0]!.items
  assert.deepEqual(
    clips.map((clip) => [clip.sourceIn, clip.sourceOut]),
    [
      [0, 105],
      [115, 1000],
    ],
  )
  const { parts, length, whole } = onScreen(findings, 5)
  assert.deepEqual(parts, [
    { startFrame: 0, endFrame: 53 },
    { startFrame: 58, endFrame: 500 },
  ])
  assert.equal(length, '00:00:39:15')
  assert.equal(whole, '00:00:40:00')
})

const removal = fc.tuple(fc.nat(280), fc.integer({ min: 1, max: 60 }))
const rates = ['25/1', '30000/1001', '25/2', '100/7', '15/1', '240/1']

test('the screen shows as many parts and the length of the export at every rate', () => {
  fc.assert(
    fc.property(
      fc.record({
        rate: fc.constantFrom(...rates),
        varies: fc.boolean(),
        removed: fc.array(removal, { maxLength: 4 }),
        handle: fc.nat(8),
        minPart: fc.integer({ min: 1, max: 20 }),
      }),
      ({ rate, varies, removed, handle, minPart }) => {
        const removals = removed.map(([start, length]) => ({
          ...{ kind: 'silence' as const, start },
          end: Math.min(300, start + length),
        }))
        const all = removals.some(({ start, end }) => start === 0 && end === 300)
        fc.pre(!all)
        const findings = makeFindings(
          varies
            ? {
                ...{ frames: 300, removals },
                changes: [{ type: 'cut', start: 100, end: 100 }],
                timeOf: (frame) => (frame <= 100 ? [frame, 30] : [frame - 50, 15]),
                media: { variable_frame_rate: true, duration: 50 / 3, duration_time: '50/3' },
              }
            : { rate, frames: 300, removals },
        )
        const { frames, sources, tracks } = exported(findings, handle, minPart)
        const { grid } = sources[0]!
        const { reel, parts, length, whole } = onScreen(findings, handle, minPart)
        assert.equal(length, toTimecode(frames, grid.format))
        assert.equal(whole, toTimecode(grid.frames, grid.format))
        assert.deepEqual(
          parts.map(({ startFrame }) => startFrame),
          tracks[0]!.items.map(({ sourceIn }) => reel.frameAt(sourceIn)),
        )
      },
    ),
    { numRuns: 200 },
  )
})
