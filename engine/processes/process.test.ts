import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import os from 'node:os'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../../test/support/until.ts'
import type { FlakyMethods } from './flaky-process.testing.ts'
import { openPool } from '../models/pool.ts'
import { takeSeats } from '../models/seats.ts'
import { startModel } from '../models/start.ts'
import { ProcessFailure } from './process.ts'
import type { WorkProcess } from './process.ts'

const entry = new URL('flaky-process.testing.ts', import.meta.url)

test('numbers travel to the model and back', async () => {
  const model = startModel<FlakyMethods>(entry)
  assert.deepEqual(await model.call('echo', Float32Array.of(1, -0.5)), Float32Array.of(1, -0.5))
  assert.ok(model.cpuSeconds() > 0)
  model.stop()
})

test('an error inside the model fails the call and leaves the model alive', async () => {
  const model = startModel<FlakyMethods>(entry)
  await assert.rejects(model.call('refuse', null), /No such language/)
  assert.equal((await model.call('echo', Float32Array.of(3)))[0], 3)
  model.stop()
})

test('a crash of the process fails the calls under way and later ones, not the caller', async () => {
  const model = startModel<FlakyMethods>(entry)
  const waiting = model.call('crash', null)
  await assert.rejects(waiting, ProcessFailure)
  await assert.rejects(waiting, /SIGSEGV/)
  await assert.rejects(model.call('echo', Float32Array.of(1)), ProcessFailure)
})

test('canceling kills a model in the middle of a step', async () => {
  const controller = new AbortController()
  const model = startModel<FlakyMethods>(entry, { signal: controller.signal })
  await model.call('echo', Float32Array.of(1))
  const waiting = model.call('hang', null)
  controller.abort(new Error('canceled by the user'))
  await assert.rejects(waiting, /canceled by the user/)
})

test('a model that does not answer in time is ended', async () => {
  const model = startModel<FlakyMethods>(entry, { callLimitMs: 3000 })
  await assert.rejects(model.call('hang', null), /did not answer/)
})

test("the service's settings are not visible to a model", async () => {
  process.env['CANARY_SECRET'] = 'x'
  const model = startModel<FlakyMethods>(entry)
  const names = await model.call('environment', null)
  model.stop()
  delete process.env['CANARY_SECRET']
  assert.ok(!names.includes('CANARY_SECRET'), names.join())
})

test('a pool keeps the order of its tasks and its processes, and fails as a whole', async () => {
  let started = 0
  const pool = await openPool<FlakyMethods>({
    start: () => {
      started++
      return startModel(entry)
    },
    memoryBytes: 1e6,
    maxTasks: 5,
  })
  const echo = (model: WorkProcess<FlakyMethods>, task: number) =>
    model.call('echo', Float32Array.of(task))
  const first = await pool.run([1, 2, 3, 4, 5], echo)
  assert.deepEqual(
    first.map(([value]) => value),
    [1, 2, 3, 4, 5],
  )
  const before = started
  assert.equal((await pool.run([6], echo))[0]?.[0], 6)
  assert.equal(started, before, 'what is loaded is used again')
  await assert.rejects(
    pool.run([1, 2, 3], (model, task) => model.call(task === 3 ? 'crash' : 'refuse', null)),
    ProcessFailure,
  )
  pool.close()
})

test('seats are counted for the machine, and free once they are given back', async () => {
  const row = `test-${process.pid}`
  const first = await takeSeats(100, { memoryBytes: 1e6, row })
  assert.equal(first.count, os.availableParallelism())
  assert.equal((await takeSeats(1, { memoryBytes: 1e6, row })).count, 0)
  first.release()
  const again = await until(
    () => takeSeats(2, { memoryBytes: os.totalmem(), row }),
    ({ count }) => count > 0,
  )
  assert.equal(again.count, 1, 'the memory carries one')
  again.release()
})

test('a model is patient, and never less so than the one who starts it', async () => {
  const module = new URL('../models/start.ts', import.meta.url).href
  const script = `const { startModel } = await import('${module}')
    const model = startModel(new URL('${entry.href}'))
    console.log(await model.call('priority', null))
    model.stop()`
  // In processes of their own: who becomes patient may not be allowed to go back.
  for (const own of [0, 12]) {
    const words = ['-n', String(own), process.execPath, '--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)('nice', words, { timeout: 60_000 })
    assert.equal(Number(stdout), Math.max(5, Math.min(19, os.getPriority() + own)))
  }
})
