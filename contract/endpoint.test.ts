import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallError } from './endpoint.ts'
import { refusalStatus } from './refusal.ts'
import type { RefusalCode } from './refusal.ts'

test('an error of a server that sends no code has the code that its status means', () => {
  const answer = { error: 'This URL already exists' }
  assert.equal(new CallError(409, answer).code, 'duplicate')
  assert.equal(new CallError(401, answer).code, 'unauthenticated')
  assert.equal(new CallError(0, {}).code, 'network')
  assert.equal(new CallError(418, {}).code, 'internal')
})

test('a code that is meant has the status that it is meant for', () => {
  for (let status = 400; status < 600; status += 1) {
    const code = new CallError(status, {}).code as RefusalCode
    if (code !== 'internal') assert.equal(refusalStatus[code], status)
  }
})

test('the code that a server sends is kept', () => {
  assert.equal(new CallError(409, { code: 'conflict' }).code, 'conflict')
})
