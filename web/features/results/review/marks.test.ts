import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { markedRange, markIn, markOut, noMarks } from './marks.ts'

const cuts = [0, 100, 175]

describe('marks', () => {
  it('out takes in the frame on the screen', () => {
    assert.deepEqual(markOut({ inFrame: 10, outFrame: null }, 60, cuts), {
      inFrame: 10,
      outFrame: 61,
    })
  })

  it('out on a cut ends before it, so that no frame of the next shot flashes', () => {
    assert.equal(markOut({ inFrame: 10, outFrame: null }, 100, cuts).outFrame, 100)
    assert.equal(markOut(noMarks, 100, cuts).outFrame, 100)
  })

  it('without snapping a cut is a frame like any other', () => {
    assert.equal(markOut(noMarks, 100, []).outFrame, 101)
  })

  it('in and out on one frame mark that frame', () => {
    assert.deepEqual(markOut(markIn(noMarks, 100), 100, cuts), { inFrame: 100, outFrame: 101 })
    assert.equal(markOut(noMarks, 0, cuts).outFrame, 1)
  })

  it('a mark on the wrong side of the other begins a new passage', () => {
    assert.deepEqual(markIn({ inFrame: 10, outFrame: 60 }, 60), { inFrame: 60, outFrame: null })
    assert.deepEqual(markIn({ inFrame: 10, outFrame: 60 }, 59), { inFrame: 59, outFrame: 60 })
    assert.deepEqual(markOut({ inFrame: 50, outFrame: null }, 20, []), {
      inFrame: null,
      outFrame: 21,
    })
  })

  it('with one end open the range goes to the clip’s edge, as the timeline shows it', () => {
    assert.deepEqual(markedRange({ inFrame: 10, outFrame: null }, 500), { start: 10, end: 500 })
    assert.deepEqual(markedRange({ inFrame: null, outFrame: 60 }, 500), { start: 0, end: 60 })
    assert.deepEqual(markedRange({ inFrame: 10, outFrame: 60 }, 500), { start: 10, end: 60 })
    assert.equal(markedRange(noMarks, 500), null)
  })
})
