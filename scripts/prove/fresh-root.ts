/** A Debian root that holds nothing but the base system, Node and npm, and a copy of this project. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { FreshUser } from './fresh-enter.ts'

const project = resolve(import.meta.dirname, '../..')

const authorityInRoot = '/etc/registry-authorities.crt'

/** Makes the root; Node itself needs the one library that is named. */
export function makeRoot(root: string, suite: string): void {
  const sources = join(dirname(root), `${suite}.sources`)
  writeFileSync(sources, sourcesFor(suite))
  execFileSync(
    'mmdebstrap',
    [
      ...['--quiet', '--variant=minbase', '--include=ca-certificates,libstdc++6'],
      ...aptSettings().map((file) => `--aptopt=${file}`),
      ...[suite, root, sources],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  for (const file of aptSettings()) copyInto(root, file)
  // The network is this machine's own, and so are its names: no package brings the one of localhost.
  copyInto(root, '/etc/hosts')
  installNode(root)
}

export function addUser(root: string, { name, uid, home }: FreshUser): void {
  const words = ['--create-home', `--home-dir=${home}`, `--uid=${uid}`, '--user-group', name]
  execFileSync('chroot', [root, 'useradd', ...words])
  chmodSync(join(root, home), 0o700)
}

/** As if the root's package sources did not have it. */
export function withholdPackage(root: string, name: string): void {
  const pin = `Package: ${name}\nPin: release *\nPin-Priority: -1\n`
  writeFileSync(join(root, 'etc/apt/preferences.d/withheld'), pin)
}

const ubuntuSuites = ['jammy', 'noble']

/** This machine's own sources with another suite's name, so that no address stands in the project. */
export function sourcesFor(
  suite: string,
  release = readFileSync('/etc/os-release', 'utf8'),
): string {
  const wanted = ubuntuSuites.includes(suite) ? 'Ubuntu' : 'Debian'
  const own = /^VERSION_CODENAME=(\w+)/m.exec(release)?.[1]
  const isWanted = new RegExp(`^ID=${wanted}$`, 'im').test(release)
  if (own === undefined || (own !== suite && !isWanted)) {
    throw new Error(
      `${suite} needs the package sources of ${wanted}, which this machine does not have.` +
        ` Run the proof in ${wanted}, or name a suite of this machine's distribution.`,
    )
  }
  const text = [
    ...globSync('/etc/apt/sources.list.d/*.sources'),
    ...globSync('/etc/apt/sources.list'),
  ]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n\n')
  return text.replaceAll(own, suite)
}

/** How this machine reaches its package sources: proxies and sign-ins, not what cleans up. */
function aptSettings(): string[] {
  return globSync('/etc/apt/apt.conf.d/*').filter((file) =>
    /Acquire|Proxy/i.test(readFileSync(file, 'utf8')),
  )
}

/** The Node and npm that this machine's user has on the path, not the project's own. */
function installNode(root: string): void {
  const path = (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
  const find = (name: string): string => {
    const folder = path.find((each) => existsSync(join(each, name)))
    if (!folder) throw new Error(`There is no ${name} on the path.`)
    return realpathSync(join(folder, name))
  }
  cpSync(find('node'), join(root, 'usr/local/bin/node'))
  const npm = npmFolder(find('node'))
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true })
  for (const name of ['npm', 'npx']) {
    const start = `#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/${name}-cli.js "$@"\n`
    writeFileSync(join(root, 'usr/local/bin', name), start, { mode: 0o755 })
  }
  writeNpmSettings(root)
}

/** How this machine reaches its registry. */
function writeNpmSettings(root: string): void {
  const settings = ['registry', 'proxy', 'https-proxy'].flatMap((name) => {
    const value = npmSetting(name)
    return value === null ? [] : [`${name}=${value}`]
  })
  const authority = npmSetting('cafile') ?? process.env.NODE_EXTRA_CA_CERTS
  if (authority) {
    // Under a name of its own: installing packages makes Debian write its own list of authorities again.
    cpSync(authority, join(root, authorityInRoot))
    settings.push(`cafile=${authorityInRoot}`)
  }
  mkdirSync(join(root, 'usr/local/etc'), { recursive: true })
  writeFileSync(join(root, 'usr/local/etc/npmrc'), `${settings.join('\n')}\n`)
}

function npmSetting(name: string): string | null {
  const value = execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()
  return ['null', 'undefined', ''].includes(value) ? null : value
}

function npmFolder(node: string): string {
  const known = ['lib/node_modules/npm', 'share/nodejs/npm'].map((name) =>
    join(dirname(node), '..', name),
  )
  const found = known.find((folder) => existsSync(folder))
  if (!found) throw new Error(`There is no npm beside ${node}.`)
  return realpathSync(found)
}

/** Every file that git knows or would add, as it stands now. */
export function copyProject(root: string, folder: string, owner?: FreshUser): void {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: project,
      encoding: 'utf8',
    },
  )
  for (const file of listed.split('\0').filter((name) => name && existsSync(join(project, name)))) {
    const target = join(root, folder, file)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(project, file), target)
  }
  if (owner) execFileSync('chroot', [root, 'chown', '--recursive', owner.name, folder])
}

function copyInto(root: string, file: string): void {
  mkdirSync(join(root, dirname(file)), { recursive: true })
  cpSync(file, join(root, file))
}
