import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Findings } from '../../../../domain/findings/findings.ts'
import { filledLanes } from './filled-lanes.ts'
import { layLanes, scaleOf } from './timeline-lanes.ts'
import type { LaneId } from './timeline-lanes.ts'

const all: LaneId[] = ['ruler', 'thumbnails', 'shots', 'talking', 'audio', 'cutpoints', 'selects']

describe('lanes', () => {
  it('lie below each other without a gap, at every scale', () => {
    fc.assert(
      fc.property(fc.subarray(all), fc.double({ min: 0.5, max: 4, noNaN: true }), (some, scale) => {
        const { list, height } = layLanes({ filled: new Set(some), scale })
        let top = 0
        for (const lane of list) {
          assert.equal(lane.top, top)
          top += lane.height
        }
        assert.equal(height, top)
      }),
    )
  })

  it('of sound alone are those that sound can have, and empty ones take no room', () => {
    const job = { extractors: [] }
    const sound = { kind: 'audio' as const, audio: [] }
    const idsOf = (filled: ReadonlySet<LaneId>) =>
      layLanes({ filled, scale: 1 }).list.map(({ id }) => id)
    assert.deepEqual(idsOf(filledLanes(job, sound, {})), ['ruler', 'selects'])
    const detected = { cutpoints: { points: [{}], removals: [] } } as unknown as Partial<Findings>
    assert.deepEqual(idsOf(filledLanes(job, sound, detected)), ['ruler', 'cutpoints', 'selects'])
    assert.deepEqual(idsOf(new Set(all)), all)
  })

  it('come to the height that they are dragged to', () => {
    const before = layLanes({ filled: new Set(all), scale: 1.2 })
    const scale = scaleOf(400, before, 1.2)
    assert.ok(Math.abs(layLanes({ filled: new Set(all), scale }).height - 400) <= 6)
  })
})
