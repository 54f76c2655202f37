import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { makeFolder } from './make-folder.ts'
import { mkdtempDisposable } from 'node:fs/promises'

const rounds = 300

/** Makes the folders of each round at the same time as the other thread. */
const source = `
  const { workerData, parentPort } = require('node:worker_threads')
  import(workerData.module).then(({ makeFolder }) => {
    const turn = new Int32Array(workerData.turns)
    const faults = []
    for (let round = 0; round < ${rounds}; round += 1) {
      Atomics.add(turn, round, 1)
      while (Atomics.load(turn, round) < 2) continue
      try {
        makeFolder(workerData.dir + '/' + round + '/files/partial')
      } catch (error) {
        faults.push(String(error))
      }
    }
    parentPort.postMessage(faults)
  })`

test('two that make the same folders at once both succeed', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-folders-'))
  const dir = scratch.path
  const turns = new SharedArrayBuffer(rounds * 4)
  const workerData = { dir, turns, module: join(import.meta.dirname, 'make-folder.ts') }
  const faults = await Promise.all(
    [0, 1].map(async () => {
      const worker = new Worker(source, { eval: true, workerData })
      const [message] = (await once(worker, 'message')) as [string[]]
      await worker.terminate()
      return message
    }),
  )
  assert.deepEqual(faults.flat(), [])
  assert.ok(existsSync(join(dir, `${rounds - 1}/files/partial`)))
})

test('a folder that the system does not make is refused at once', () => {
  assert.throws(() => makeFolder('/proc/none/files'))
})
