import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followAddress } from './typed-name.ts'

test('Clear empties the field too', () => {
  const typed = followAddress({ text: 'ab', known: '', asked: 'ab' }, 'ab')
  assert.equal(followAddress(typed, '').text, '')
})

test('the address that follows what was typed does not take back what was typed since', () => {
  const field = followAddress({ text: 'abc', known: '', asked: 'ab' }, 'ab')
  assert.equal(field.text, 'abc')
})

test('going back in the browser shows the name of then, and the same address changes nothing', () => {
  const field = { text: 'new', known: 'new', asked: 'new' }
  assert.equal(followAddress(field, 'old').text, 'old')
  assert.equal(followAddress(field, 'new'), field)
})
