import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import os from 'node:os'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../../test/support/until.ts'
import type { MoodyMethods } from './flaky-model.testing.ts'
import { openPool } from './pool.ts'
import { ModelFailure, startModelProcess } from './process.ts'
import type { ModelProcess } from './process.ts'
import { takeSeats } from './seats.ts'

const entry = new URL('flaky-model.testing.ts', import.meta.url)

test('numbers travel to the model and back', async () => {
  const model = startModelProcess<MoodyMethods>(entry)
  assert.deepEqual(await model.call('echo', Float32Array.of(1, -0.5)), Float32Array.of(1, -0.5))
  assert.ok(model.cpuSeconds() > 0)
  model.stop()
})

test('an error inside the model fails the call and leaves the model alive', async () => {
  const model = startModelProcess<MoodyMethods>(entry)
  await assert.rejects(model.call('refuse', null), /No such language/)
  assert.equal((await model.call('echo', Float32Array.of(3)))[0], 3)
  model.stop()
})

test('a crash of the process fails the calls under way and later ones, not the caller', async () => {
  const model = startModelProcess<MoodyMethods>(entry)
  const waiting = model.call('crash', null)
  await assert.rejects(waiting, ModelFailure)
  await assert.rejects(waiting, /SIGSEGV/)
  await assert.rejects(model.call('echo', Float32Array.of(1)), ModelFailure)
})

test('canceling kills a model in the middle of a step', async () => {
  const controller = new AbortController()
  const model = startModelProcess<MoodyMethods>(entry, { signal: controller.signal })
  await model.call('echo', Float32Array.of(1))
  const waiting = model.call('hang', null)
  controller.abort(new Error('canceled by the user'))
  await assert.rejects(waiting, /canceled by the user/)
})

test('a model that does not answer in time is ended', async () => {
  const model = startModelProcess<MoodyMethods>(entry, { callLimitMs: 3000 })
  await assert.rejects(model.call('hang', null), /did not answer/)
})

test("the service's settings are not visible to a model", async () => {
  process.env['CANARY_SECRET'] = 'x'
  const model = startModelProcess<MoodyMethods>(entry)
  const names = await model.call('environment', null)
  model.stop()
  delete process.env['CANARY_SECRET']
  assert.ok(!names.includes('CANARY_SECRET'), names.join())
})

test('a pool keeps the order of its tasks and its processes, and fails as a whole', async () => {
  let started = 0
  const pool = await openPool<MoodyMethods>({
    start: () => {
      started++
      return startModelProcess(entry)
    },
    memoryBytes: 1e6,
    maxTasks: 5,
  })
  const echo = (model: ModelProcess<MoodyMethods>, task: number) =>
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
    ModelFailure,
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
  const module = new URL('process.ts', import.meta.url).href
  const script = `const { startModelProcess } = await import('${module}')
    const model = startModelProcess(new URL('${entry.href}'))
    console.log(await model.call('priority', null))
    model.stop()`
  // In processes of their own: who becomes patient may not be allowed to go back.
  for (const own of [0, 12]) {
    const words = ['-n', String(own), process.execPath, '--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)('nice', words, { timeout: 60_000 })
    assert.equal(Number(stdout), Math.max(5, Math.min(19, os.getPriority() + own)))
  }
})
