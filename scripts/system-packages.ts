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
  /** Brings it where the machine's packages do not; answers whether it could. */
  fetch?: () => boolean
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
    find: findChromium,
    fetch: fetchChromium,
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

/** Makes sure that every package is there, or ends the process with the command that helps. */
export function ensureSystemPackages(packages: readonly SystemPackage[]): void {
  if (packages.every(isThere)) return
  if (canInstall()) apt(['update', '-qq'])
  const missing = packages.filter(
    (item) => !isThere(item) && (isOffered(item.debian) || !item.fetch?.()),
  )
  if (missing.length === 0) return
  const names = [...new Set(missing.map((item) => item.debian))]
  const reasons = missing.map((item) => `${item.command} (${item.why})`).join(', ')
  if (!canInstall()) {
    const install = `sudo apt-get update && sudo apt-get install -y ${names.join(' ')}`
    console.error(`Missing: ${reasons}. On Debian or Ubuntu, once: ${install}`)
    process.exit(2)
  }
  console.error(`Installing ${names.join(', ')}: ${reasons}.`)
  // A fresh machine often installs its own updates first.
  const wait = ['-o', 'DPkg::Lock::Timeout=600']
  const code = apt(['install', '-y', '-qq', '--no-install-recommends', ...wait, ...names])
  if (code !== 0) throw new Error(`apt-get could not install ${names.join(', ')}.`)
}

/** Whether this process can install the package by that name. */
function isOffered(name: string): boolean {
  const words = ['install', '--simulate', '-qq', name]
  return canInstall() && spawnSync('apt-get', words, { stdio: 'ignore' }).status === 0
}

function apt(words: readonly string[]): number | null {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', words, { stdio: ['ignore', 'ignore', 'inherit'], env }).status
}

export function isThere({ command, proof, find }: SystemPackage): boolean {
  const [program, ...words] = proof ?? []
  if (program !== undefined) return spawnSync(program, words, { stdio: 'ignore' }).status === 0
  return (find ?? (() => findOnPath(command)))() !== undefined
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
