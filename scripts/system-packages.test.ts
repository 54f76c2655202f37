import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { clipFolder } from '../engine/clips.testing.ts'

const run = promisify(execFile)

test('a program that only the path knows is missing for the engine', async (t) => {
  const folder = await clipFolder(t)
  const fake = { command: 'ffmpeg-of-somebody', debian: 'ffmpeg', why: 'decodes media' }
  await writeFile(join(folder, fake.command), '#!/bin/sh\n')
  await chmod(join(folder, fake.command), 0o755)
  const program = `
    const { isThere, toRun } = await import('${join(import.meta.dirname, 'system-packages.ts')}')
    const { findProgram } = await import('${join(import.meta.dirname, '../engine/tools/programs.ts')}')
    const fake = ${JSON.stringify(fake)}
    const byEngine = { ...fake, find: () => findProgram(fake.command) }
    console.log(isThere(fake), isThere(byEngine), toRun.every((item) => isThere(item)))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: folder },
  })
  assert.equal(stdout.trim(), 'true false true')
})
