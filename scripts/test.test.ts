import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { slow } from '../test/support/slow.ts'
import { until } from '../test/support/until.ts'
import { listTestFiles } from './test/list-test-files.ts'

test('a run takes every test file of the repository', (t) => {
  const root = resolve(import.meta.dirname, '..')
  if (spawnSync('git', ['ls-files'], { cwd: root }).status !== 0) return t.skip('no git repository')
  const list = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.test.ts',
    '*.test.tsx',
  ]
  const names = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0')
  const tests = names.filter((name) => name !== '' && existsSync(join(root, name)))
  assert.deepEqual(listTestFiles(), tests.sort())
})

test(
  'an interrupted run ends its database and its tests and removes its folder',
  slow,
  async (t) => {
    const script = join(import.meta.dirname, 'test.ts')
    const child = spawn(process.execPath, [script, 'scripts/prove/media.test.ts'], {
      stdio: 'ignore',
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    })
    t.after(() => child.kill('SIGKILL'))
    const started = await until(
      () => childrenOf(child.pid ?? 0),
      (all) => all.some(({ words }) => words.includes('test-process.ts')),
      120_000,
    )
    const [folder = ''] =
      /\/\S+\/cutindex-tests-\w+/.exec(started.map(({ words }) => words).join(' ')) ?? []
    assert.ok(existsSync(folder))
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [143, null])
    assert.equal(existsSync(folder), false)
    assert.deepEqual(
      started.filter(({ id }) => existsSync(`/proc/${id}`)),
      [],
    )
  },
)

function childrenOf(id: number): { id: string; words: string }[] {
  const ids = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim().split(' ')
  return ids
    .filter((child) => child !== '' && existsSync(`/proc/${child}/cmdline`))
    .map((child) => ({
      id: child,
      words: readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' '),
    }))
}
