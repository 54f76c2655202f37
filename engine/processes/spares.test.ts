import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../../test/support/until.ts'
import { startModel } from '../models/start.ts'
import type { FlakyMethods } from './flaky-process.testing.ts'
import type { WorkProcess } from './process.ts'
import { keepSpares } from './spares.ts'

const entry = new URL('flaky-process.testing.ts', import.meta.url)
const start = () => startModel<FlakyMethods>(entry)
const keep = async (model: WorkProcess<FlakyMethods>) => {
  await model.call('priority', null)
  return model
}

test('the next work gets the process of the last one, two at once one each', async () => {
  const spares = keepSpares(start)
  const first = await spares.use(keep)
  assert.equal(await spares.use(keep), first)
  const [item, other] = await Promise.all([spares.use(keep), spares.use(keep)])
  assert.notEqual(item, other)
  assert.notEqual(item.hasEnded(), other.hasEnded(), 'one of them is kept')
  item.stop()
  other.stop()
})

test('a process that failed, crashed or was canceled is not used again', async () => {
  const spares = keepSpares(start)
  let last: WorkProcess<FlakyMethods> | null = null
  const fail = (method: 'refuse' | 'crash' | 'hang', signal?: AbortSignal): Promise<unknown> =>
    spares.use(
      (model) => {
        last = model
        return model.call(method, null)
      },
      { signal },
    )
  const kept = await spares.use(keep)
  await assert.rejects(fail('refuse'), /No such language/)
  assert.equal(last, kept)
  assert.ok(kept.hasEnded())
  await assert.rejects(fail('crash'), /SIGSEGV/)
  const canceled = new AbortController()
  const waiting = fail('hang', canceled.signal)
  canceled.abort(new Error('canceled by the user'))
  await assert.rejects(waiting, /canceled by the user/)
  const next = await spares.use(keep)
  assert.notEqual(next, last)
  next.stop()
})

test('work that meets a spare which has died meanwhile is done by a new process', async () => {
  const spares = keepSpares(start)
  const pid = (model: WorkProcess<FlakyMethods>) => model.call('pid', null)
  process.kill(await spares.use(pid), 'SIGKILL')
  // Nothing is heard of its end before the next work begins.
  const until = Date.now() + 200
  while (Date.now() < until);
  assert.ok((await spares.use(pid)) > 0)
  ;(await spares.use(keep)).stop()
})

test('a spare ends when nobody needs it, and holds nobody up', async () => {
  const spares = keepSpares(start, { idleMs: 50 })
  const model = await spares.use(keep)
  await until(
    () => model.hasEnded(),
    (hasEnded) => hasEnded,
  )
  const module = new URL('spares.ts', import.meta.url).href
  const models = new URL('../models/start.ts', import.meta.url).href
  const script = `const { keepSpares } = await import('${module}')
    const { startModel } = await import('${models}')
    const start = () => startModel(new URL('${entry.href}'))
    await keepSpares(start).use((model) => model.call('priority', null))
    console.log('done')`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { timeout: 30_000 },
  )
  assert.equal(stdout.trim(), 'done')
})
