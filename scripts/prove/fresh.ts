/**
 * `npm run prove:fresh`: README's two commands, as they stand, in containers that have nothing but
 * Debian, Node and npm. Each suite runs in four places: as root of a whole machine (privileged); as
 * root of a plain container, which may make no user namespaces and mount nothing; as root in the
 * closed home of a user, as with sudo; and as that user, once root has run the one line that is
 * asked for. Needs Docker or Podman.
 *
 *   npm run prove:fresh -- [bookworm trixie …] [--only-start] [--tests=unit] [--place=container]
 *     [--without=chromium-headless-shell] [--image=NAME]
 *
 * `--tests=` hands words to `npm test`; without it every test runs, some ten minutes a time.
 * `--place=` leaves the other places out. `--without=` names a package that the suite shall not
 * have; without that one it is as poor as Ubuntu, whose Chromium is a snap. `--image=` replaces
 * `node:24-SUITE-slim`, for a machine that reaches its packages through a proxy.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../test/support/app.ts'
import { until } from '../../test/support/until.ts'

interface Place {
  folder: string
  isPrivileged?: boolean
  /** Runs as this user instead of root. */
  user?: string
}

const project = resolve(import.meta.dirname, '../..')
const startLimitMs = 1_800_000
const home = '/home/editor'
/** Allows namespaces and mounts. `--privileged` needs every capability, which a guest may lack. */
const unlocked = [
  '--cap-add=SYS_ADMIN',
  ...['seccomp', 'apparmor', 'systempaths'].map((name) => `--security-opt=${name}=unconfined`),
]
const allPlaces: Record<string, Place> = {
  machine: { folder: '/root/cutindex', isPrivileged: true },
  container: { folder: '/root/cutindex' },
  sudo: { folder: `${home}/cutindex`, isPrivileged: true },
  user: { folder: `${home}/cutindex`, user: 'editor' },
}
const { values: options, positionals: suites } = parseArgs({
  allowPositionals: true,
  options: {
    'only-start': { type: 'boolean' },
    tests: { type: 'string' },
    place: { type: 'string' },
    without: { type: 'string' },
    image: { type: 'string' },
  },
})
const places = Object.entries(allPlaces).filter(([name]) => name === (options.place ?? name))
if (places.length === 0) throw new Error('--place= is machine, container, sudo or user.')
const engine = ['docker', 'podman'].find((name) => spawnSync(name, ['info']).status === 0) ?? ''
if (engine === '') {
  console.error('not run: no container engine (neither `docker info` nor `podman info` answers)')
  process.exit(1)
}
const [startCommand = '', testAll = ''] = readmeCommands()
const testCommand = options.tests ? `${testAll} -- ${options.tests}` : testAll
for (const suite of suites.length > 0 ? suites : ['bookworm', 'trixie']) {
  for (const [name, place] of places) {
    await proveSuite(options.image ?? `node:24-${suite}-slim`, place, `${suite}, ${name}`)
  }
}

async function proveSuite(image: string, place: Place, label: string): Promise<void> {
  // The network is this machine's own, where the standard ports may be taken.
  const port = await freePort()
  const settings = [
    `PORT=${port}`,
    `SANDBOX_PORT=${await freePort()}`,
    `SANDBOX_SMTP_PORT=${await freePort()}`,
  ]
  const container = command([
    ...['run', '--detach', '--rm', '--init', '--network=host', '--shm-size=1g'],
    ...(place.isPrivileged ? unlocked : []),
    ...settings.flatMap((setting) => ['--env', setting]),
    ...[image, 'sleep', 'infinity'],
  ])
  const enter = (line: string, user = 'root', folder = '/'): Run => {
    const words = ['exec', '--user', user, '--workdir', folder, container, 'sh', '-c', line]
    return runEngine(words)
  }
  const enterProject = async (line: string): Promise<Run> => {
    if (place.user) await installAsAsked(enter(line, place.user, place.folder), enter)
    return enter(line, place.user, place.folder)
  }
  try {
    await succeed(
      enter(`useradd --create-home editor && chmod 700 ${home} && mkdir ${place.folder}`),
    )
    if (options.without) {
      const pin = `Package: ${options.without}\\nPin: release *\\nPin-Priority: -1\\n`
      await succeed(enter(`printf '${pin}' > /etc/apt/preferences.d/withheld`))
    }
    copyProject(container, place.folder)
    if (place.folder.startsWith(home)) await succeed(enter(`chown -R editor ${place.folder}`))
    await proveStart(await enterProject(startCommand), port)
    console.log(`ok: ${label}: ${startCommand}`)
    if (options['only-start']) return
    // Ends the product.
    command(['restart', '--time=20', container])
    const tests = await enterProject(testCommand)
    tests.child.stdout.pipe(process.stdout)
    await succeed(tests)
    console.log(`ok: ${label}: ${testCommand}`)
  } finally {
    command(['rm', '--force', container])
  }
}

type Run = ReturnType<typeof runEngine>

function runEngine(words: string[]) {
  const child = spawn(engine, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const ended = once(child, 'close').then(([code]) => code as number)
  return { child, output: () => output, ended }
}

async function succeed(run: Run): Promise<void> {
  if ((await run.ended) !== 0) throw new Error(run.output())
}

/** Expects a refusal that asks a user who may install nothing for one line, which root runs. */
async function installAsAsked(refused: Run, enter: (line: string) => Run): Promise<void> {
  const code = await refused.ended
  const [sentence, line] = /^Missing: .* once: (sudo .*)$/m.exec(refused.output()) ?? []
  if (code === 0 || line === undefined) throw new Error(refused.output())
  console.log(sentence)
  await succeed(enter(line.replaceAll('sudo ', '')))
}

async function proveStart(start: Run, port: number): Promise<void> {
  let hasEnded = false
  void start.ended.then(() => (hasEnded = true))
  await until(() => start.output().includes('CutIndex is ready') || hasEnded, Boolean, startLimitMs)
  if (hasEnded) throw new Error(start.output())
  const health = await fetch(`http://localhost:${port}/v1/health`)
  console.log(start.output().trim().split('\n').slice(-8).join('\n'), await health.text())
  if (!health.ok) throw new Error(`The product answered ${health.status}.`)
}

/** Copies every file that git knows or would add, as it stands now. */
function copyProject(container: string, folder: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const names = execFileSync('git', list, { cwd: project, encoding: 'utf8' }).split('\0')
  const input = names.filter((name) => name && existsSync(join(project, name))).join('\0')
  const archive = ['--create', '--null', '--files-from=-']
  const maxBuffer = 2 ** 31 - 1
  const packed = execFileSync('tar', archive, { cwd: project, input, maxBuffer })
  const unpack = ['exec', '--interactive', container, 'tar', '--extract', `--directory=${folder}`]
  execFileSync(engine, unpack, { input: packed })
}

function command(words: string[]): string {
  return execFileSync(engine, words, { encoding: 'utf8' }).trim()
}

/** The commands of the sections "Run it" and "Test it". */
function readmeCommands(): string[] {
  const readme = readFileSync(join(project, 'README.md'), 'utf8')
  return ['Run it', 'Test it'].map((title) => {
    const section = readme.slice(readme.indexOf(`## ${title}\n`))
    return /```sh\n(.*)\n```/.exec(section)?.[1] ?? ''
  })
}
