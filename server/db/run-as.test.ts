import assert from 'node:assert/strict'
import { chown, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { prepareUser } from './run-as.ts'

const isRoot = process.getuid?.() === 0
const skip = isRoot ? false : 'only root can take a folder'

test('root does not take the database of the user who runs the product', { skip }, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cutindex-owner-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const dir = join(dataDir, 'postgres')
  await mkdir(dir)
  await chown(dir, 12_345, 12_345)
  await chown(dataDir, 12_345, 12_345)
  await assert.rejects(prepareUser(dir, '/nowhere'), /belong to the user with the number 12345/)
  assert.equal((await lstat(dir)).uid, 12_345)
  // A user of its own, as in a container: the folder around it is root's.
  await chown(dataDir, 0, 0)
  await prepareUser(dir, '/nowhere').catch(() => undefined)
  assert.notEqual((await lstat(dir)).uid, 12_345)
})
