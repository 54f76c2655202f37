import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSourceCache } from './source-cache.ts'

test('a source is brought once while it is kept, and the oldest idle ones go', async () => {
  const events: string[] = []
  const open = (key: string) => async () => {
    events.push(`open ${key}`)
    return { path: `/${key}`, release: async () => void events.push(`drop ${key}`) }
  }
  const cache = createSourceCache()
  const [first, second] = await Promise.all([
    cache.borrow('a', open('a')),
    cache.borrow('a', open('a')),
  ])
  assert.deepEqual([first.path, second.path], ['/a', '/a'])
  await first.release()
  await first.release()
  for (const key of ['b', 'c', 'd']) await (await cache.borrow(key, open(key))).release()
  // Read until now, so it outlasts those that nobody reads.
  assert.deepEqual(events, ['open a', 'open b', 'open c', 'open d', 'drop b'])
  await second.release()
  assert.deepEqual(events.slice(5), ['drop a'], 'of the idle ones it was used longest ago')
  await cache.close()
  assert.deepEqual(events.slice(6), ['drop c', 'drop d'])
  await assert.rejects(
    cache.borrow('e', () => Promise.reject(new Error('gone'))),
    /gone/,
  )
  assert.equal((await cache.borrow('e', open('e'))).path, '/e', 'a failure is not kept')
})
