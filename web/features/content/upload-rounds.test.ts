import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endRound, unsentOf } from './upload-rounds.ts'

const failed = {
  name: 'failed',
  phase: 'unsent' as const,
  reason: 'Upload failed. Please try again.' as string | null,
  isDuplicate: false,
  isQuiet: false,
  isEarlier: false,
}
const canceled = { ...failed, name: 'canceled', reason: null }
const known = { ...failed, name: 'known', isDuplicate: true }
const dropped = { ...canceled, name: 'dropped', isQuiet: true }

test('a failed upload keeps its card when the dialog is opened and closed, as often as one likes', () => {
  let entries = [failed, canceled, known, dropped]
  for (let time = 0; time < 3; time += 1) entries = endRound(entries)
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['failed', 'dropped'],
  )
})

test('an earlier failure does not make a later upload fail', () => {
  assert.deepEqual(unsentOf(endRound([failed])), [])
  assert.deepEqual(
    unsentOf([...endRound([failed]), { ...failed, name: 'new' }]).map(({ name }) => name),
    ['new'],
  )
})
