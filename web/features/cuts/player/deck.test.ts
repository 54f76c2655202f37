import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCutPlayer } from './cut-player.ts'
import type { Program } from './cut-player.ts'
import { createDeck } from './deck.ts'

function program(frames: number): Program {
  return { events: [], frames, framesPerSecond: 25, clip: () => undefined }
}

/** The cut stands at frame 120, and a source of 40 frames is looked at. */
function previewing() {
  const deck = createDeck(createCutPlayer())
  deck.cut.load(program(500))
  deck.cut.seek(120)
  deck.preview(program(40))
  deck.player.seek(7)
  return deck
}

test('edits use the frame of the cut while a source is looked at', () => {
  const deck = previewing()
  assert.equal(deck.player.frame(), 7)
  assert.equal(deck.cut.frame(), 120)
  assert.equal(deck.cut.speed(), 0)
})

test('leaving a source leads back to where the cut stood', () => {
  const deck = previewing()
  deck.leave()
  assert.deepEqual([deck.isPreview(), deck.player.frame()], [false, 120])
})

test('a click into the cut ends the preview and goes to the frame of the cut', () => {
  const deck = previewing()
  deck.cut.seek(300)
  assert.deepEqual([deck.isPreview(), deck.player.frame()], [false, 300])
})

test('the cut that was saved meanwhile does not interrupt a preview, and is there afterwards', () => {
  const deck = previewing()
  deck.cut.load(program(100))
  assert.equal(deck.player.frame(), 7)
  deck.cut.seek(400)
  assert.equal(deck.player.frame(), 99)
})

test('a preview that comes after a click into the cut is not wanted any more', () => {
  const deck = previewing()
  const isWanted = deck.ask()
  assert.ok(isWanted())
  deck.cut.seek(10)
  assert.ok(!isWanted())
})

test('who watches the cut learns that a preview ended', () => {
  const deck = previewing()
  let calls = 0
  deck.cut.subscribe(() => (calls += 1))
  deck.leave()
  assert.ok(calls > 0)
})
