import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceKey } from './source-keys.ts'

const bare = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }

test('a chip, Add all or any other button of the sources keeps its keys', () => {
  for (const key of ['Enter', ' ', 'a', 'ArrowDown', 'Escape']) {
    assert.equal(sourceKey({ ...bare, key }, null), null, key)
  }
})

test('an input method keeps Enter, the arrows and Escape while it makes a character', () => {
  for (const key of ['Enter', 'ArrowDown', 'Escape']) {
    assert.equal(sourceKey({ ...bare, key, isComposing: true }, 'field'), null, key)
  }
})

test('Ctrl A selects what is typed and adds nothing', () => {
  for (const held of ['ctrlKey', 'metaKey', 'altKey']) {
    for (const from of ['field', 'hit'] as const) {
      assert.equal(sourceKey({ ...bare, [held]: true, key: 'a' }, from), null)
      assert.equal(sourceKey({ ...bare, [held]: true, key: 'Enter' }, from), null)
    }
  }
})

test('a hit is looked at by Space and added by A or Enter, with Shift at the end', () => {
  assert.equal(sourceKey({ ...bare, key: ' ' }, 'hit'), 'preview')
  assert.equal(sourceKey({ ...bare, key: 'a' }, 'hit'), 'add')
  assert.equal(sourceKey({ ...bare, shiftKey: true, key: 'A' }, 'hit'), 'addAtEnd')
  assert.equal(sourceKey({ ...bare, key: 'Enter' }, 'hit'), 'add')
})

test('in the field letters and Space are typed, Enter adds and the arrows lead to the hits', () => {
  assert.equal(sourceKey({ ...bare, key: ' ' }, 'field'), null)
  assert.equal(sourceKey({ ...bare, key: 'a' }, 'field'), null)
  assert.equal(sourceKey({ ...bare, key: 'Enter' }, 'field'), 'add')
  assert.equal(sourceKey({ ...bare, key: 'ArrowDown' }, 'field'), 'next')
})
