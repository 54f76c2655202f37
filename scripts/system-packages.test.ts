import assert from 'node:assert/strict'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../engine/clips.testing.ts'
import { findProgram } from '../engine/tools/programs.ts'
import { isThere, toRun } from './system-packages.ts'

test('a program that only the path knows is missing for the engine', async (t) => {
  const folder = await clipFolder(t)
  const fake = { command: 'ffmpeg-of-somebody', debian: 'ffmpeg', why: 'decodes media' }
  await writeFile(join(folder, fake.command), '#!/bin/sh\n')
  await chmod(join(folder, fake.command), 0o755)
  assert.equal(isThere(fake, folder), true)
  assert.equal(isThere({ ...fake, find: () => findProgram(fake.command) }), false)
  assert.ok(
    toRun.every((item) => isThere(item, folder)),
    'the engine finds its programs without the path',
  )
})
