/** Plants a breach of each import rule and expects the linter to say so. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../..')

const breaches: [string, string][] = [
  ['contract/breach.ts', "import { readFileSync } from 'node:fs'\nexport const a = readFileSync\n"],
  ['contract/breach.ts', "import { a } from '../server/a.ts'\nexport const b = a\n"],
  ['engine/breach.ts', "import { a } from '../server/billing/a.ts'\nexport const b = a\n"],
  ['server/breach.ts', "import { a } from '../sandbox/a.ts'\nexport const b = a\n"],
  ['server/breach.ts', "import { a } from '../web/a.ts'\nexport const b = a\n"],
  ['server/billing/breach.ts', "import { a } from '../accounts/a.ts'\nexport const b = a\n"],
  ['server/accounts/breach.ts', "import { a } from '../jobs/a.ts'\nexport const b = a\n"],
  ['server/content/breach.ts', "import { a } from '../payments/a.ts'\nexport const b = a\n"],
  ['server/payments/breach.ts', "import { a } from '../api-keys/a.ts'\nexport const b = a\n"],
  ['server/api-keys/breach.ts', "import { a } from '../jobs/a.ts'\nexport const b = a\n"],
  ['server/jobs/breach.ts', "import { a } from '../app.ts'\nexport const b = a\n"],
  ['sandbox/breach.ts', "import { a } from '../contract/a.ts'\nexport const b = a\n"],
  ['web/breach.ts', "import { a } from '../server/a.ts'\nexport const b = a\n"],
  ['web/breach.ts', "import { a } from '../engine/a.ts'\nexport const b = a\n"],
  ['web/features/jobs/breach.ts', "import { a } from '../content/a.ts'\nexport const b = a\n"],
  ['web/features/jobs/breach.ts', "import { a } from '../../screens/a.ts'\nexport const b = a\n"],
  ['web/ui/breach.ts', "import { a } from '../features/jobs/a.ts'\nexport const b = a\n"],
]

for (const [file, source] of breaches) {
  test(`a breach in ${file} is caught: ${source.split('\n')[0]}`, () => {
    assert.match(lint({ [file]: source }), /no-restricted-imports/)
  })
}

test('a cycle is caught', () => {
  const words = lint({
    'server/one.ts': "import { two } from './two.ts'\nexport const one = (): unknown => two\n",
    'server/two.ts': "import { one } from './one.ts'\nexport const two = (): unknown => one\n",
  })
  assert.match(words, /no-cycle/)
})

test('the right arrows pass', () => {
  const words = lint({
    'contract/a.ts': 'export const a = 1\n',
    'server/billing/b.ts': "import { a } from '../../contract/a.ts'\nexport const b = a\n",
    'server/jobs/c.ts': "import { b } from '../billing/b.ts'\nexport const c = b\n",
    'web/ui/d.ts': "import { a } from '../../contract/a.ts'\nexport const d = a\n",
    'web/features/jobs/e.ts': "import { d } from '../../ui/d.ts'\nexport const e = d\n",
    'web/features/jobs/f.ts': "import { e } from './e.ts'\nexport const f = e\n",
  })
  assert.match(words, /0 errors/)
})

function lint(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), 'cutindex-arrows-'))
  try {
    cpSync(join(root, 'oxlint.config.ts'), join(dir, 'oxlint.config.ts'))
    cpSync(join(root, 'package.json'), join(dir, 'package.json'))
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(join(dir, dirname(file)), { recursive: true })
      writeFileSync(join(dir, file), source)
    }
    const result = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['.'], {
      cwd: dir,
      encoding: 'utf8',
    })
    return result.stdout + result.stderr
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
