import assert from 'node:assert/strict'
import { test } from 'node:test'
import { characterOf, isControlHeld, namesOf } from './key-name.ts'

const bare = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const press = (key: string, code: string, held: object = {}) => ({ ...bare, key, code, ...held })

test('letters and Ctrl Z work on a keyboard without Latin letters', () => {
  assert.deepEqual(namesOf(press('я', 'KeyZ', { ctrlKey: true })), ['Ctrl+z'])
  assert.deepEqual(namesOf(press('Я', 'KeyZ', { ctrlKey: true, shiftKey: true })), ['Ctrl+Shift+z'])
  assert.deepEqual(namesOf(press('ш', 'KeyI')), ['i', 'i'])
  assert.equal(characterOf(press('ι', 'KeyI')), 'i')
  assert.equal(characterOf(press('١', 'Digit1')), '1')
})

test('a Latin layout is read by what it prints', () => {
  assert.equal(characterOf(press('a', 'KeyQ')), 'a')
  assert.equal(characterOf(press('é', 'Digit2')), 'é')
  assert.equal(characterOf(press('ö', 'Semicolon')), 'ö')
  assert.deepEqual(namesOf(press('A', 'KeyA', { shiftKey: true })), ['Shift+a', 'a'])
})

test('a frame is nudged by comma and full stop, and less with Shift, on any layout', () => {
  const shiftKey = true
  assert.equal(namesOf(press(',', 'Comma'))[0], ',')
  assert.equal(namesOf(press('<', 'Comma', { shiftKey }))[0], 'Shift+<')
  const german = namesOf(press(';', 'Comma', { shiftKey }))
  assert.ok(german.includes('Shift+,'))
  assert.deepEqual(namesOf(press('.', 'Comma', { shiftKey }))[0], '.', 'AZERTY prints it there')
  assert.equal(namesOf(press(',', 'KeyM'))[0], ',')
  assert.ok(namesOf(press('б', 'Comma')).includes(','))
  assert.ok(namesOf(press('#', 'Backslash')).includes('\\'))
})

test('a character that AltGr makes is that character', () => {
  const altGraph = { ctrlKey: true, altKey: true, getModifierState: () => true }
  const press7 = press('\\', 'Minus', altGraph)
  assert.ok(!isControlHeld(press7))
  assert.deepEqual(namesOf(press7), ['\\'])
})
