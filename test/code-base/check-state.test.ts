/** `npm test` leaves the checks out only where the very same files have passed them. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { stateOfFiles } from '../../scripts/check.ts'

test('any change of a file, a name or the packages is another state; ignored files are none', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cutindex-check-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  assert.equal(stateOfFiles(folder), null, 'without git nothing is remembered')
  if (spawnSync('git', ['--version']).status !== 0) return t.skip('git is not installed')
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  execFileSync('git', ['init', '-q', folder])
  mkdirSync(join(folder, 'node_modules'))
  write('.gitignore', 'node_modules\n')
  write('a.ts', 'one')
  const changes: [name: string, change: () => void][] = [
    ['a text', () => write('a.ts', 'two')],
    ['a new file', () => write('b.ts', '')],
    ['a name', () => renameSync(join(folder, 'b.ts'), join(folder, 'c.ts'))],
    ['a package', () => write('node_modules/.package-lock.json', '{}')],
  ]
  const seen = [stateOfFiles(folder)]
  for (const [name, change] of changes) {
    change()
    const state = stateOfFiles(folder)
    assert.ok(state !== null && !seen.includes(state), name)
    seen.push(state)
  }
  write('node_modules/ignored.ts', 'anything')
  assert.equal(stateOfFiles(folder), seen.at(-1))
})
