import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { clipFolder } from '../clips.testing.ts'
import { weightsFolder } from './weights.ts'

// Under CI the runtime reports nothing of its own accord.
const { CI: _, ORT_DISABLE_TELEMETRY: __, ...environment } = process.env

test('ONNX Runtime reports nothing about this machine or its models to its makers', async (t) => {
  const folder = await clipFolder(t)
  const model = path.join(weightsFolder('voices'), 'voices.onnx')
  const opener = pathToFileURL(path.join(import.meta.dirname, 'session.ts')).href
  const script = `const { openModel } = await import(${JSON.stringify(opener)})
    await (await openModel(${JSON.stringify(model)})).release()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...environment, TMPDIR: folder, HOME: folder, XDG_CACHE_HOME: folder },
  })
  // A reporter keeps its session and its log in files before it looks for its collector.
  assert.deepEqual(await readdir(folder), [])
})
