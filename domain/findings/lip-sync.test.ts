import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lipSyncText, soundDelayText } from './lip-sync.ts'

test('a delay is shown in tenths of a second, with its direction', () => {
  assert.equal(soundDelayText(0.48), 'Sound is about 0.5 s late')
  assert.equal(soundDelayText(-2.04), 'Sound is about 2.0 s early')
})

test('lips are called in sync only where that could be judged', () => {
  const nothing = { speech: [], silence: [], talking: [], lip_flap: [], voice_only: [], faces: [] }
  assert.equal(lipSyncText(nothing), null)
  assert.equal(lipSyncText({ ...nothing, lip_sync: null }), null)
  assert.equal(lipSyncText({ ...nothing, lip_sync: 'in_sync' }), 'Lips and sound match')
  assert.equal(lipSyncText({ ...nothing, lip_sync: 'unclear' }), 'Lip sync cannot be judged')
  const late = { ...nothing, lip_sync: 'out_of_sync' as const, sound_delay_seconds: 0.6 }
  assert.equal(lipSyncText(late), 'Sound is about 0.6 s late')
})
