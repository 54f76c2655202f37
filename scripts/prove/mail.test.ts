import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWholeRun } from '../../test/support/slow.ts'
import { proveMail } from './mail.ts'

const kills = isWholeRun ? 3 : 1

test('through a killed worker at each step every cause brings one message and every archive one link', async () => {
  const proof = await proveMail({ kills, causesOfEach: 2 })
  assert.deepEqual([proof.causes, proof.archives], [2 * kills, kills])
  assert.equal(proof.lost, 0)
  assert.equal(proof.doubled, 0)
  assert.equal(proof.closed, 0)
  assert.equal(proof.left, 0)
  assert.ok(proof.tries > proof.causes + proof.archives, 'some had to be tried again')
})
