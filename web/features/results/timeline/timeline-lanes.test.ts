import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { layLanes, scaleOf } from './timeline-lanes.ts'

describe('lanes', () => {
  it('lie below each other without a gap, at every scale', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.double({ min: 0.5, max: 4, noNaN: true }),
        (hasPicture, scale) => {
          const { list, height } = layLanes({ hasPicture, scale })
          let top = 0
          for (const lane of list) {
            assert.equal(lane.top, top)
            top += lane.height
          }
          assert.equal(height, top)
        },
      ),
    )
  })

  it('of sound alone are those that sound can have', () => {
    const ids = layLanes({ hasPicture: false, scale: 1 }).list.map(({ id }) => id)
    assert.deepEqual(ids, ['ruler', 'talking', 'audio', 'cutpoints', 'selects'])
  })

  it('come to the height that they are dragged to', () => {
    const before = layLanes({ hasPicture: true, scale: 1.2 })
    const scale = scaleOf(400, before, 1.2)
    assert.ok(Math.abs(layLanes({ hasPicture: true, scale }).height - 400) <= 6)
  })
})
