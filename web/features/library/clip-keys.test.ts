import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Focused } from '../../keys/key-owner.ts'
import { isForClips } from './clip-keys.ts'

function element(localName: string, parent: Focused | null, attributes: object = {}): Focused {
  const known = new Map<string, string>(Object.entries(attributes))
  return {
    localName,
    parentElement: parent,
    getAttribute: (name) => known.get(name) ?? null,
  }
}

const scroller = element('div', null, { 'data-scroller': '' })
const clip = element('div', scroller, { 'data-clip': 'a' })

test('a clip and the empty grid answer keys', () => {
  for (const key of ['Enter', ' ', 'x', 'ArrowDown', 'Home']) {
    assert.ok(isForClips(clip, key), key)
    assert.ok(isForClips(scroller, key), key)
  }
})

test('a button of an upload’s card keeps every key, as does Retry below the clips', () => {
  const button = element('button', element('li', scroller))
  for (const key of ['Enter', ' ', 'x', 'ArrowDown']) assert.ok(!isForClips(button, key), key)
})

test('a button within a clip is pressed by Enter and Space', () => {
  const button = element('button', clip)
  assert.ok(!isForClips(button, 'Enter') && !isForClips(button, ' '))
  assert.ok(isForClips(button, 'ArrowDown'))
})
