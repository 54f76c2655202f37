/** Plants a breach of each import rule and expects the linter to report it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { before, test } from 'node:test'

const root = resolve(import.meta.dirname, '../..')

/** Folder of the file, and what it must not import. */
const breaches: [string, string][] = [
  ['domain', 'node:fs'],
  ['domain/time', '../../contract/a.ts'],
  ['contract', 'node:fs'],
  ['contract', '../server/a.ts'],
  ['client', '../server/a.ts'],
  ['client', 'node:fs'],
  ['client/command', '../../web/a.ts'],
  ['engine', '../server/billing/a.ts'],
  ['engine/voices', 'onnxruntime-node'],
  ['server', '../sandbox/a.ts'],
  ['server', '../web/a.ts'],
  ['server/ground', '../billing/a.ts'],
  ['server/db', '../storage/a.ts'],
  ['server/mail', '../invoices/a.ts'],
  ['server/invoices', '../billing/a.ts'],
  ['server/billing', '../sign-in/a.ts'],
  ['server/sign-in', '../jobs/a.ts'],
  ['server/content', '../payments/a.ts'],
  ['server/payments', '../api-keys/a.ts'],
  ['server/api-keys', '../jobs/a.ts'],
  ['server/content', '../uploads/a.ts'],
  ['server/jobs', '../findings/a.ts'],
  ['server/findings', '../runs/a.ts'],
  ['server/service', '../process/a.ts'],
  ['server/jobs', '../app.ts'],
  ['server/http', '../accounts/a.ts'],
  ['server/storage', '../content/a.ts'],
  ['sandbox', '../contract/a.ts'],
  ['web', '../server/a.ts'],
  ['web', '../engine/a.ts'],
  ['web/features/jobs', '../content/a.ts'],
  ['web/features/library/filters', '../../content/a.ts'],
  ['web/features/jobs', '../../screens/a.ts'],
  ['web/ui', '../features/jobs/a.ts'],
]

const breachFile = (index: number): string => `${breaches[index]?.[0]}/breach-${index}.ts`

const cycle = {
  'server/one.ts': "import { two } from './two.ts'\nexport const one = (): unknown => two\n",
  'server/two.ts': "import { one } from './one.ts'\nexport const two = (): unknown => one\n",
  'server/three.ts': "import type { Four } from './four.ts'\nexport type Three = Four[]\n",
  'server/four.ts': "import type { Three } from './three.ts'\nexport type Four = Three[]\n",
}

const allowed = {
  'contract/a.ts': 'export const a = 1\n',
  'server/billing/b.ts': "import { a } from '../../contract/a.ts'\nexport const b = a\n",
  'domain/time/g.ts': 'export const g = 1\n',
  'contract/h.ts': "import { g } from '../domain/time/g.ts'\nexport const h = g\n",
  'server/jobs/c.ts': "import { b } from '../billing/b.ts'\nexport const c = b\n",
  'web/ui/d.ts': "import { a } from '../../contract/a.ts'\nexport const d = a\n",
  'web/features/jobs/e.ts': "import { d } from '../../ui/d.ts'\nexport const e = d\n",
  'web/features/jobs/f.ts': "import { e } from './e.ts'\nexport const f = e\n",
}

const foreignGlobals = {
  'server/page.ts': 'export const title = document.title\n',
  'web/machine.ts': 'export const path = process.env.PATH\n',
}

/** "file code" of everything that the linter reported in one run over all planted files. */
let reports: string[] = []

before(() => {
  const planted = breaches.map(([, imported], index): [string, string] => [
    breachFile(index),
    `import * as a from '${imported}'\nexport const b = a\n`,
  ])
  reports = lint({ ...Object.fromEntries(planted), ...cycle, ...allowed, ...foreignGlobals })
})

for (const [index, [folder, imported]] of breaches.entries()) {
  test(`a file in ${folder}/ must not import ${imported}`, () => {
    assert.ok(reports.includes(`${breachFile(index)} eslint(no-restricted-imports)`))
  })
}

test('a cycle is reported, through types too', () => {
  assert.ok(reports.includes('server/one.ts import(no-cycle)'))
  assert.ok(reports.includes('server/three.ts import(no-cycle)'))
})

test('the server knows no document, the web no process', () => {
  const wrong = reports.filter((report) => /^(server\/page|web\/machine)\.ts /.test(report))
  assert.deepEqual(wrong.toSorted(), [
    'server/page.ts typescript(TS2584)',
    'web/machine.ts typescript(TS2591)',
  ])
})

test('the allowed arrows pass', () => {
  const wrong = reports.filter((report) =>
    Object.keys(allowed).includes(report.split(' ')[0] ?? ''),
  )
  assert.deepEqual(wrong, [])
})

function lint(files: Record<string, string>): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'cutindex-arrows-'))
  try {
    const settings = globSync(
      ['oxlint.config.ts', 'package.json', 'tsconfig*.json', 'scripts/house/floors.ts'],
      { cwd: root },
    )
    for (const name of settings) cpSync(join(root, name), join(dir, name))
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(join(dir, dirname(file)), { recursive: true })
      writeFileSync(join(dir, file), source)
    }
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format=json', '.'], {
      cwd: dir,
      encoding: 'utf8',
    })
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { filename: string; code: string }[]
    }
    return diagnostics.map(({ filename, code }) => `${filename} ${code}`)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
