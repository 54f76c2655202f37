/**
 * `npm run prove:fresh`: README's two commands, as they stand, in a Debian that has nothing but Node
 * and npm. Each root is made by mmdebstrap from this machine's own package sources and entered with
 * pivot_root in mount and pid namespaces of its own. Each suite runs twice: as root of a whole machine,
 * and as root of a plain container, which may make no user namespaces and mount nothing. Needs root.
 *
 *   npm run prove:fresh -- [bookworm trixie …] [--only-start] [--tests=unit] [--place=container]
 *     [--without=chromium-headless-shell]
 *
 * `--tests=` hands words to `npm test`; without it every test runs, some ten minutes a time. `--place=`
 * (machine or container) leaves the other one out. `--without=` names a package that the suite shall not
 * have; without that one it is as poor as Ubuntu, whose Chromium is a snap.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../../test/support/app.ts'
import { until } from '../../test/support/until.ts'
import { ensureSystemPackages } from '../system-packages.ts'
import { enterRoot } from './fresh-enter.ts'
import type { Entered } from './fresh-enter.ts'
import { copyProject, makeRoot, projectInRoot, withholdPackage } from './fresh-root.ts'

const startLimitMs = 1_800_000
const suites = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const onlyStart = process.argv.includes('--only-start')
const words = option('tests')
const withheld = option('without')
const places = ['machine', 'container'].filter((place) =>
  [place, undefined].includes(option('place')),
)
if (places.length === 0) throw new Error('--place= is machine or container.')
const [startCommand = '', testAll = ''] = readmeCommands()
const testCommand = words ? `${testAll} -- ${words}` : testAll

ensureSystemPackages([
  { command: 'mmdebstrap', debian: 'mmdebstrap', why: 'makes a fresh Debian' },
  { command: 'unshare', debian: 'util-linux', why: 'enters it' },
])
for (const suite of suites.length > 0 ? suites : ['bookworm', 'trixie']) {
  for (const place of places) await proveSuite(suite, place === 'container')
}

function option(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
}

async function proveSuite(suite: string, plainContainer: boolean): Promise<void> {
  const place = plainContainer ? 'plain container' : 'machine'
  const folder = mkdtempSync(join(tmpdir(), 'cutindex-fresh-'))
  const root = join(folder, 'root')
  try {
    makeRoot(root, suite)
    if (withheld) withholdPackage(root, withheld)
    copyProject(root)
    const options = { folder: projectInRoot, plainContainer }
    // The network is this machine's own, where the standard ports may be taken.
    const port = await freePort()
    const environment = {
      PORT: String(port),
      SANDBOX_PORT: String(await freePort()),
      SANDBOX_SMTP_PORT: String(await freePort()),
    }
    await proveStart(await enterRoot(root, startCommand, { ...options, environment }), port)
    console.log(`ok: ${suite}, ${place}: ${startCommand}`)
    if (onlyStart) return
    const print = (text: string): unknown => process.stdout.write(text)
    const tests = await enterRoot(root, testCommand, { ...options, print })
    const code = await tests.exited
    if (code !== 0) throw new Error(`${testCommand} ended with ${code} (${suite}, ${place}).`)
    console.log(`ok: ${suite}, ${place}: ${testCommand}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function proveStart(entered: Entered, port: number): Promise<void> {
  let code: number | null | undefined
  void entered.exited.then((end) => (code = end))
  await until(
    () => entered.output().includes('CutIndex is ready') || code !== undefined,
    Boolean,
    startLimitMs,
  )
  if (code !== undefined) throw new Error(entered.output())
  const health = await fetch(`http://localhost:${port}/v1/health`)
  console.log(entered.output().trim().split('\n').slice(-8).join('\n'), await health.text())
  if (!health.ok) throw new Error(`The product answered ${health.status}.`)
  entered.terminate('scripts/start.ts')
  await entered.exited
}

/** The commands of the sections "Run it" and "Test it". */
function readmeCommands(): string[] {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8')
  return ['Run it', 'Test it'].map((title) => {
    const section = readme.slice(readme.indexOf(`## ${title}\n`))
    return /```sh\n(.*)\n```/.exec(section)?.[1] ?? ''
  })
}
