/** System packages that npm cannot bring. As root on Debian or Ubuntu they are installed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findProgram } from '../engine/tools/programs.ts'

interface SystemPackage {
  /** One name, or several of which one is enough. */
  command: string | readonly string[]
  debian: string
  why: string
  /** Words of a command that fails where the package is missing; else its command is looked for. */
  proof?: readonly string[]
  /** Looked for where the engine does, not on the path. */
  byEngine?: boolean
}

export const toRun: readonly SystemPackage[] = [
  { command: 'ffmpeg', debian: 'ffmpeg', why: 'decodes media' },
  { command: 'ffprobe', debian: 'ffmpeg', why: 'reads media' },
  { command: 'bwrap', debian: 'bubblewrap', why: 'locks media tools in' },
  { command: 'perl', debian: 'perl-base', why: 'locks media tools in without namespaces' },
  { command: 'pdftotext', debian: 'poppler-utils', why: 'reads PDFs' },
  { command: 'setpriv', debian: 'util-linux', why: 'ends children with their parent' },
  { command: 'prlimit', debian: 'util-linux', why: 'limits media tools' },
].map((item) => ({ ...item, byEngine: true }))

/** The shell has no windows and takes 40 % less CPU; a whole browser does where it is there. */
const chromiums = ['chromium-headless-shell', 'chromium', 'google-chrome']

export const toTest: readonly SystemPackage[] = [
  ...toRun,
  { command: chromiums, debian: 'chromium-headless-shell', why: 'runs the browser tests' },
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
  const missing = packages.filter((item) => !isThere(item))
  if (missing.length === 0) return
  const names = [...new Set(missing.map((item) => item.debian))]
  const reasons = missing.map((item) => `${[item.command].flat()[0]} (${item.why})`).join(', ')
  if (!canInstall()) {
    const install = `sudo apt-get update && sudo apt-get install -y ${names.join(' ')}`
    console.error(`Missing: ${reasons}. On Debian or Ubuntu, once: ${install}`)
    process.exit(2)
  }
  console.error(`Installing ${names.join(', ')}: ${reasons}.`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] }
  spawnSync('apt-get', ['update', '-qq'], { ...options, env: environment })
  // A fresh machine often installs its own updates first.
  const wait = ['-o', 'DPkg::Lock::Timeout=600']
  const words = ['install', '-y', '-qq', '--no-install-recommends', ...wait, ...names]
  execFileSync('apt-get', words, { ...options, env: environment })
}

export function isThere({ command, proof, byEngine = false }: SystemPackage): boolean {
  const [program, ...words] = proof ?? []
  const names = [command].flat()
  if (byEngine) return names.some((name) => findProgram(name) !== undefined)
  if (program === undefined) return findCommand(names) !== undefined
  return spawnSync(program, words, { stdio: 'ignore' }).status === 0
}

/** For a tool that one can do without: answers whether it is there now. */
export function installIfPossible(item: SystemPackage): boolean {
  if (!isThere(item) && canInstall()) ensureSystemPackages([item])
  return isThere(item)
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/** The Chromium of this machine, for tests and scripts that drive one. */
export function chromiumPath(): string {
  return process.env.CHROMIUM ?? findCommand(chromiums) ?? '/usr/bin/chromium'
}

function findCommand(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}
