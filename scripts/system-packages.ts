/** System packages that npm cannot bring. As root on Debian or Ubuntu they are installed. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findProgram } from '../engine/tools/programs.ts'
import { fetchChromium, findChromium } from './chromium.ts'

interface SystemPackage {
  command: string
  debian: string
  why: string
  /** Words of a command that fails where the package is missing; else its command is looked for. */
  proof?: readonly string[]
  /** Finds the command instead of the path. */
  find?: () => string | undefined
  /** Brings it where no package does, or throws. */
  fetch?: () => void
}

export const toRun: readonly SystemPackage[] = [
  { command: 'ffmpeg', debian: 'ffmpeg', why: 'decodes media' },
  { command: 'ffprobe', debian: 'ffmpeg', why: 'reads media' },
  { command: 'bwrap', debian: 'bubblewrap', why: 'locks media tools in' },
  { command: 'perl', debian: 'perl-base', why: 'locks media tools in without namespaces' },
  { command: 'pdftotext', debian: 'poppler-utils', why: 'reads PDFs' },
  { command: 'setpriv', debian: 'util-linux', why: 'ends children with their parent' },
  { command: 'prlimit', debian: 'util-linux', why: 'limits media tools' },
].map((item) => ({ ...item, find: () => findProgram(item.command) }))

export const toTest: readonly SystemPackage[] = [
  ...toRun,
  {
    command: 'chromium',
    debian: 'chromium-headless-shell',
    why: 'runs the browser tests',
    find: () => findChromium(),
    ...(process.arch === 'x64' ? { fetch: fetchChromium } : {}),
  },
  { command: 'espeak-ng', debian: 'espeak-ng', why: 'speaks the test clips' },
  { command: 'curl', debian: 'curl', why: 'runs a sample of the documentation' },
  { command: 'python3', debian: 'python3', why: 'runs a sample of the documentation' },
  {
    command: 'python3',
    debian: 'python3-requests',
    why: 'runs a sample of the documentation',
    proof: ['python3', '-c', 'import requests'],
  },
  { command: 'xmllint', debian: 'libxml2-utils', why: 'reads XML exports' },
]

const lockSeconds = 600

/** Makes sure that every package is there, or ends the process with a sentence that helps. */
export function ensureSystemPackages(packages: readonly SystemPackage[]): void {
  try {
    const missing = packages.filter((item) => !isThere(item))
    if (missing.length === 0) return
    if (canInstall()) updateLists()
    const toInstall = missing.filter((item) => !item.fetch || isOffered(item.debian))
    if (toInstall.length > 0) install(toInstall)
    for (const item of missing) if (!isThere(item)) item.fetch?.()
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error))
  }
}

function install(items: readonly SystemPackage[]): void {
  const names = [...new Set(items.map((item) => item.debian))]
  const reasons = items.map((item) => `${item.command} (${item.why})`).join(', ')
  if (!canInstall()) {
    const command = `sudo apt-get update && sudo apt-get install -y ${names.join(' ')}`
    stop(`Missing: ${reasons}. On Debian or Ubuntu, once: ${command}`)
  }
  console.error(`Installing ${names.join(', ')}: ${reasons}.`)
  // A fresh machine often installs its own updates first.
  const wait = ['-o', `DPkg::Lock::Timeout=${lockSeconds}`]
  const words = ['install', '-y', '-qq', '--no-install-recommends', ...wait, ...names]
  const { status, stderr } = aptGet(words)
  if (status !== 0) stop(`apt-get could not install ${names.join(', ')}:\n${stderr}`)
}

function stop(message: string): never {
  console.error(message)
  process.exit(1)
}

/** For the lists apt-get itself does not wait. Without a network those of before may do. */
function updateLists(): void {
  for (let seconds = 0; seconds < lockSeconds; seconds += 1) {
    const { status, stderr } = aptGet(['update', '-qq'])
    if (status === 0) return
    if (!stderr.includes('Could not get lock')) {
      process.stderr.write(stderr)
      return
    }
    if (seconds === 0) console.error('Waiting for another apt-get.')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  }
}

/** True if this process can install the package by that name. */
function isOffered(name: string): boolean {
  return canInstall() && aptGet(['install', '--simulate', '-qq', name]).status === 0
}

function aptGet(words: readonly string[]): { status: number | null; stderr: string } {
  return spawnSync('apt-get', words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  })
}

export function isThere({ command, proof, find }: SystemPackage): boolean {
  const [program, ...words] = proof ?? []
  if (program !== undefined) return spawnSync(program, words, { stdio: 'ignore' }).status === 0
  return (find ? find() : findOnPath(command)) !== undefined
}

/** For a tool that one can do without: answers whether it is there now. */
export function installIfPossible(item: SystemPackage): boolean {
  if (!isThere(item) && canInstall()) ensureSystemPackages([item])
  return isThere(item)
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

function findOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
}
