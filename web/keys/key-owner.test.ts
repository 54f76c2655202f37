import assert from 'node:assert/strict'
import { test } from 'node:test'
import { belongsTo, isApart, isInPopup } from './key-owner.ts'
import type { Focused } from './key-owner.ts'

/** The last of them has the focus; the others hold it. */
function focus(...path: { tag: string; role?: string; type?: string }[]): Focused {
  return path.reduce<Focused | null>(
    (parentElement, { tag, role, type }) => ({
      localName: tag,
      parentElement,
      getAttribute: (name) => ({ role, type })[name] ?? null,
    }),
    null,
  )!
}

test('no shortcut acts behind a question, and its buttons keep Enter and Space', () => {
  for (const role of ['dialog', 'alertdialog', 'menu']) {
    const button = focus({ tag: 'body' }, { tag: 'div', role }, { tag: 'button' })
    assert.ok(isInPopup(button), role)
    assert.ok(isApart(button, 'x'), role)
  }
  assert.ok(!isApart(focus({ tag: 'body' }, { tag: 'button' }), 'x'))
})

test('a slider keeps the keys that move it and no others', () => {
  const slider = focus({ tag: 'body' }, { tag: 'input', type: 'range' })
  for (const key of ['ArrowLeft', 'ArrowUp', 'Home', 'End', 'PageUp', 'PageDown']) {
    assert.ok(isApart(slider, key), key)
  }
  for (const key of [' ', 'j', 'i', 'z', 'Enter']) assert.ok(!isApart(slider, key), key)
})

test('a field keeps every key', () => {
  for (const field of [
    { tag: 'input', type: 'text' },
    { tag: 'input' },
    { tag: 'textarea' },
    { tag: 'select' },
  ]) {
    assert.ok(isApart(focus({ tag: 'body' }, field), 'j'), JSON.stringify(field))
  }
})

test('a checkbox keeps Space alone, so that a choice with the mouse takes no key away', () => {
  const box = focus({ tag: 'body' }, { tag: 'input', type: 'checkbox' })
  assert.ok(belongsTo(box, ' ') && !isApart(box, 'j'))
})

test('a button is pressed by Space and Enter, a tab is left by its arrows', () => {
  const button = focus({ tag: 'body' }, { tag: 'button' }, { tag: 'span' })
  assert.ok(belongsTo(button, ' ') && belongsTo(button, 'Enter'))
  assert.ok(!belongsTo(button, 'ArrowLeft'))
  assert.ok(belongsTo(focus({ tag: 'button', role: 'tab' }), 'ArrowLeft'))
})
