import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reelName } from './reel-name.ts'

test('no reel is the black of CMX', () => {
  assert.equal(reelName('BL', false), 'BL_')
  assert.equal(reelName('bl', true), 'bl_')
  assert.equal(reelName('BLACK', false), 'BLACK')
})
