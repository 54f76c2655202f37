import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { rational } from '../../domain/time/rational.ts'
import { standardRates, timecodeFormat, toTimecode } from '../../domain/time/timecode.ts'
import { labelPixels, rulerMarks, rulerStep, zoomedLeft } from './timeline-scale.ts'

const rates = fc.constantFrom(...standardRates)
const pixelsPerFrame = fc.double({ min: 0.0005, max: 24, noNaN: true })

describe('ruler', () => {
  it('steps by even parts of a second, then by whole seconds', () => {
    const stepAt = (pixels: number): number => rulerStep(pixels, 25)
    assert.deepEqual([96, 24, 10, 3.9, 2.1, 1].map(stepAt), [1, 5, 25, 25, 50, 125])
  })

  it('names frames whose last figures are the same in every second', () => {
    fc.assert(
      fc.property(rates, pixelsPerFrame, fc.nat(200_000), (rate, pixels, startFrame) => {
        const format = timecodeFormat(rate.rate, rate.dropFrame)
        const view = { width: 1200, startFrame: 0, pixelsPerFrame: pixels }
        const step = rulerStep(pixels, format.nominal)
        const marks = rulerMarks({ frames: 100_000, startFrame, format }, view)
        for (const frame of marks) {
          const name = toTimecode(startFrame + frame, format)
          const frames = Number(name.slice(-2))
          const isDropped = rate.dropFrame && /:00;0[1-4]$/.test(name)
          assert.ok(isDropped || frames % Math.min(step, format.nominal) === 0, name)
        }
      }),
    )
  })

  it('leaves each label its room, and leaves no gap wider than a label needs', () => {
    fc.assert(
      fc.property(rates, pixelsPerFrame, fc.nat(90_000), (rate, pixels, from) => {
        const format = timecodeFormat(rate.rate, rate.dropFrame)
        const view = { width: 2000, startFrame: from, pixelsPerFrame: pixels }
        const marks = rulerMarks({ frames: 10_000_000, startFrame: 0, format }, view)
        const dropped = rate.dropFrame ? 4 * pixels : 0
        const hour = 3600 * format.nominal * pixels
        marks.slice(1).forEach((frame, index) => {
          const gap = (frame - marks[index]!) * pixels
          assert.ok(gap >= Math.min(labelPixels, hour) - dropped - 1, `${gap} px`)
        })
        assert.ok(marks.length >= 1)
      }),
    )
  })

  it('leaves out labels where the frames of a variable clip last longer', () => {
    const format = timecodeFormat(rational(30), false)
    // 30 frames a second, then 5.
    const half = 900
    const countTo = (frame: number): number => frame + 5 * Math.max(0, frame - half)
    const frameAt = (count: number): number =>
      Math.min(count, half + Math.max(0, Math.ceil((count - half) / 6)))
    for (const pixels of [0.5, 2, 5.6, 11]) {
      for (let startFrame = 0; startFrame < 1100; startFrame += 35) {
        const view = { width: 1200, startFrame, pixelsPerFrame: pixels }
        const reel = { frames: 1200, startFrame: 0, format, countTo, frameAt }
        const marks = rulerMarks(reel, view)
        const gaps = marks.slice(1).map((frame, index) => (frame - marks[index]!) * pixels)
        assert.ok(
          gaps.every((gap) => gap >= 0.9 * labelPixels),
          `${pixels}: ${gaps.join(' ')}`,
        )
        const earlier = rulerMarks(reel, { ...view, startFrame: 0, width: 20_000 })
        assert.ok(
          marks.every((frame) => earlier.includes(frame)),
          'scrolling moves no label',
        )
      }
    }
  })
})

describe('zoom', () => {
  it('leaves a frame in view where it is', () => {
    const view = { left: 300, width: 1000, frames: 5000 }
    const left = zoomedLeft(view, { frame: 800, from: 1, to: 1.5 })
    assert.equal(800 * 1.5 - left, 800 - 300)
  })

  it('brings a frame that was out of sight to the middle', () => {
    const view = { left: 0, width: 1000, frames: 5000 }
    const left = zoomedLeft(view, { frame: 4000, from: 1, to: 1.5 })
    assert.equal(4000 * 1.5 - left, 500)
  })

  it('always shows the frame, and nothing beyond the clip', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 1, max: 50, noNaN: true }),
        fc.double({ min: 1, max: 50, noNaN: true }),
        (frames, at, scrolled, zoom, next) => {
          const width = 1000
          const frame = Math.floor(at * (frames - 1))
          const [from, to] = [(width / frames) * zoom, (width / frames) * next]
          const left = scrolled * (frames * from - width)
          const after = zoomedLeft({ left, width, frames }, { frame, from, to })
          assert.ok(after >= 0 && after <= frames * to - width + 1e-6)
          const x = frame * to - after
          assert.ok(x >= -1e-6 && x <= width + 1e-6, `${x}`)
        },
      ),
    )
  })
})
