import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSelectionGesture } from './selection-gesture.ts'
import type { Ends } from './selection-gesture.ts'

const node = {}
const words: Ends = { anchorNode: node, anchorOffset: 2, focusNode: node, focusOffset: 9 }
const caret: Ends = { anchorNode: node, anchorOffset: 2, focusNode: node, focusOffset: 2 }

test('words are taken when the pointer has selected them, and not again by a click elsewhere', () => {
  const gesture = createSelectionGesture()
  const selection = { ...caret }
  gesture.press(true, selection)
  selection.focusOffset = 9
  assert.equal(gesture.release(selection), true)
  // The timeline, a button: the words are still selected.
  gesture.press(false, selection)
  assert.equal(gesture.release(selection), false)
  // The release of a drag that began before this page listened.
  assert.equal(gesture.release(selection), false)
})

test('a click into selected words takes nothing, the same words selected again are taken', () => {
  const gesture = createSelectionGesture()
  gesture.press(true, words)
  assert.equal(gesture.release(words), false)
  gesture.press(true, words)
  gesture.change()
  assert.equal(gesture.release(words), true)
})
