import assert from 'node:assert/strict'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder, makeClip } from './clips.testing.ts'

test('a clip can be made from one whose path holds spaces', async (t) => {
  const folder = path.join(await clipFolder(t), 'a folder of $& mine')
  await mkdir(folder)
  const first = await makeClip(folder, '-f lavfi -i sine=d=0.1 first.wav')
  const second = await makeClip(folder, `-i ${first} -c copy second.wav`)
  assert.equal((await stat(second)).size, (await stat(first)).size)
})
