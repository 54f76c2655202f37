/**
 * `npm run prove:fresh`: README's two commands, as they stand, in a Debian that has nothing but Node
 * and npm. Each root is made by mmdebstrap from this machine's own package sources and entered with
 * pivot_root in mount and pid namespaces of its own. Each suite runs in four places: as root of a whole
 * machine; as root of a plain container, which may make no user namespaces and mount nothing; as root in
 * the closed home of a user, as with sudo; and as that user, who may make no namespaces either, once root
 * has run the one line that is asked for. Needs root.
 *
 *   npm run prove:fresh -- [bookworm trixie …] [--only-start] [--tests=unit] [--place=container]
 *     [--without=chromium-headless-shell]
 *
 * `--tests=` hands words to `npm test`; without it every test runs, some ten minutes a time. `--place=`
 * (machine, container, sudo or user) leaves the others out. `--without=` names a package that the suite shall
 * not have; without that one it is as poor as Ubuntu, whose Chromium is a snap.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../../test/support/app.ts'
import { until } from '../../test/support/until.ts'
import { ensureSystemPackages } from '../system-packages.ts'
import { enterRoot } from './fresh-enter.ts'
import type { Entered, FreshUser } from './fresh-enter.ts'
import { addUser, copyProject, makeRoot, withholdPackage } from './fresh-root.ts'

/** Where the project lies in the root, and as whom it runs. */
interface Place {
  folder: string
  plainContainer?: boolean
  /** Of the folder, in a home that is closed to others. */
  owner?: FreshUser
  user?: FreshUser
}

const startLimitMs = 1_800_000
const suites = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const onlyStart = process.argv.includes('--only-start')
const words = option('tests')
const withheld = option('without')
const editor: FreshUser = { name: 'editor', uid: 1000, home: '/home/editor' }
const allPlaces: Record<string, Place> = {
  machine: { folder: '/root/cutindex' },
  container: { folder: '/root/cutindex', plainContainer: true },
  sudo: { folder: `${editor.home}/cutindex`, owner: editor },
  user: { folder: `${editor.home}/cutindex`, owner: editor, user: editor },
}
const places = Object.entries(allPlaces).filter(([name]) =>
  [name, undefined].includes(option('place')),
)
if (places.length === 0) throw new Error('--place= is machine, container, sudo or user.')
const [startCommand = '', testAll = ''] = readmeCommands()
const testCommand = words ? `${testAll} -- ${words}` : testAll

ensureSystemPackages([
  { command: 'mmdebstrap', debian: 'mmdebstrap', why: 'makes a fresh Debian' },
  { command: 'unshare', debian: 'util-linux', why: 'enters it' },
])
for (const suite of suites.length > 0 ? suites : ['bookworm', 'trixie']) {
  for (const [name, place] of places) await proveSuite(suite, name, place)
}

function option(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
}

async function proveSuite(suite: string, name: string, place: Place): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cutindex-fresh-'))
  const root = join(folder, 'root')
  try {
    makeRoot(root, suite)
    if (withheld) withholdPackage(root, withheld)
    if (place.owner) addUser(root, place.owner)
    copyProject(root, place.folder, place.owner)
    // The network is this machine's own, where the standard ports may be taken.
    const port = await freePort()
    const environment = {
      PORT: String(port),
      SANDBOX_PORT: String(await freePort()),
      SANDBOX_SMTP_PORT: String(await freePort()),
    }
    if (place.user) await installAsAsked(root, place, startCommand)
    await proveStart(await enterRoot(root, startCommand, { ...place, environment }), port)
    console.log(`ok: ${suite}, ${name}: ${startCommand}`)
    if (onlyStart) return
    if (place.user) await installAsAsked(root, place, testCommand)
    const tests = await enterRoot(root, testCommand, { ...place, print })
    const code = await tests.exited
    if (code !== 0) throw new Error(`${testCommand} ended with ${code} (${suite}, ${name}).`)
    console.log(`ok: ${suite}, ${name}: ${testCommand}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function print(text: string): void {
  process.stdout.write(text)
}

/** A user who may install nothing is given one line, which root runs. */
async function installAsAsked(root: string, place: Place, command: string): Promise<void> {
  const refused = await enterRoot(root, command, place)
  const code = await refused.exited
  const [sentence = '', line] = /^Missing: .* once: (sudo .*)$/m.exec(refused.output()) ?? []
  if (code !== 2 || line === undefined) throw new Error(refused.output())
  console.log(sentence)
  const install = await enterRoot(root, line.replaceAll('sudo ', ''), { folder: '/' })
  if ((await install.exited) !== 0) throw new Error(install.output())
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
