import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../../test/support/until.ts'
import type { MoodyMethods } from './flaky-model.testing.ts'
import type { ModelProcess } from './process.ts'
import { spareProcess } from './spare-process.ts'

const entry = new URL('flaky-model.testing.ts', import.meta.url)
const keep = async (model: ModelProcess<MoodyMethods>) => {
  await model.call('priority', null)
  return model
}

test('the next work gets the process of the last one, two at once one each', async () => {
  const moody = spareProcess<MoodyMethods>(entry)
  const first = await moody.use(keep)
  assert.equal(await moody.use(keep), first)
  const [one, other] = await Promise.all([moody.use(keep), moody.use(keep)])
  assert.notEqual(one, other)
  assert.notEqual(one.hasEnded(), other.hasEnded(), 'one of them is kept')
  one.stop()
  other.stop()
})

test('a process that failed, crashed or was canceled is not used again', async () => {
  const moody = spareProcess<MoodyMethods>(entry)
  let last: ModelProcess<MoodyMethods> | null = null
  const fail = (method: 'refuse' | 'crash' | 'hang', signal?: AbortSignal): Promise<unknown> =>
    moody.use(
      (model) => {
        last = model
        return model.call(method, null)
      },
      { signal },
    )
  const kept = await moody.use(keep)
  await assert.rejects(fail('refuse'), /No such language/)
  assert.equal(last, kept)
  assert.ok(kept.hasEnded())
  await assert.rejects(fail('crash'), /SIGSEGV/)
  const canceled = new AbortController()
  const waiting = fail('hang', canceled.signal)
  canceled.abort(new Error('canceled by the user'))
  await assert.rejects(waiting, /canceled by the user/)
  const next = await moody.use(keep)
  assert.notEqual(next, last)
  next.stop()
})

test('work that meets a spare which has died meanwhile is done by a new process', async () => {
  const moody = spareProcess<MoodyMethods>(entry)
  const pid = (model: ModelProcess<MoodyMethods>) => model.call('pid', null)
  process.kill(await moody.use(pid), 'SIGKILL')
  // Nothing is heard of its end before the next work begins.
  const until = Date.now() + 200
  while (Date.now() < until);
  assert.ok((await moody.use(pid)) > 0)
  ;(await moody.use(keep)).stop()
})

test('a spare ends when nobody needs it, and holds nobody up', async () => {
  const moody = spareProcess<MoodyMethods>(entry, { idleMs: 50 })
  const model = await moody.use(keep)
  await until(
    () => model.hasEnded(),
    (hasEnded) => hasEnded,
  )
  const module = new URL('spare-process.ts', import.meta.url).href
  const script = `const { spareProcess } = await import('${module}')
    await spareProcess(new URL('${entry.href}')).use((model) => model.call('priority', null))
    console.log('done')`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { timeout: 30_000 },
  )
  assert.equal(stdout.trim(), 'done')
})
