import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../../engine/clips.testing.ts'
import { testerArguments } from './run-test-files.ts'
import type { FileReport } from './test-process.ts'

const root = resolve(import.meta.dirname, '../..')

test('an error that nobody catches fails the file, though its tests pass', async (t) => {
  const file = join(await clipFolder(t), 'stray.test.mjs')
  await writeFile(
    file,
    `import { test } from 'node:test'
     test('passes', async () => {
       void Promise.reject(new Error('nobody waits'))
       setTimeout(() => { throw new Error('nobody catches') }, 5)
       await new Promise((done) => { setTimeout(done, 50) })
     })`,
  )
  const child = spawn(process.execPath, testerArguments, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  })
  t.after(() => child.kill())
  child.send({ path: relative(root, file), limitMs: 10_000 })
  const [report] = (await once(child, 'message')) as [FileReport]
  assert.deepEqual([report.tests, report.passed, report.failed], [1, 1, 2])
  assert.match(report.failures, /nobody waits[^]*nobody catches/)
})
