/**
 * Media tools read files that strangers made, so each run gets a room of its own: bubblewrap shows
 * it the tools, one input read-only and one output folder, and no network, no other process, no
 * capability and no environment. Limits on memory, CPU and file size hold in every case. Where user
 * namespaces are off the limits and ffmpeg's own white lists remain, and `sandboxState` says
 * `degraded` so that health can tell.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

export interface SandboxLimits {
  memoryBytes: number
  cpuSeconds: number
  fileBytes: number
}

export interface Room {
  program: string
  /** The only file the tool may read. */
  input: string
  /** The only folder it may write to; none means it can write nowhere. */
  outDir?: string
  limits: SandboxLimits
}

export interface RoomPaths {
  /** The input as ffmpeg is told it, with the prefix that keeps it from reading a scheme. */
  input: string
  /** The input as every other tool is told it. */
  inputPath: string
  /** The output folder as the tool sees it. */
  out: string
}

export interface SandboxCommand {
  command: string
  args: string[]
  paths: RoomPaths
}

export type SandboxState = 'full' | 'degraded'

let knownState: Promise<SandboxState> | undefined

/** Whether this machine lets bubblewrap make namespaces; found out once. */
export function sandboxState(): Promise<SandboxState> {
  knownState ??= tryBubblewrap()
  return knownState
}

/** The command line that runs `toolArgs` in a room; `state` is what `sandboxState` answered. */
export function sandboxCommand(
  room: Room,
  state: SandboxState,
  toolArgs: (paths: RoomPaths) => string[],
): SandboxCommand {
  const limits: [string, ...string[]] = [
    '/usr/bin/prlimit',
    `--as=${room.limits.memoryBytes}`,
    `--cpu=${room.limits.cpuSeconds}`,
    `--fsize=${room.limits.fileBytes}`,
    '--core=0',
    '--nofile=256',
  ]
  const input = path.resolve(room.input)
  const outDir = room.outDir === undefined ? undefined : path.resolve(room.outDir)
  const program = findProgram(room.program)
  if (state === 'full') {
    const paths = { input: 'file:/in', inputPath: '/in', out: '/out' }
    const walls = [...bubblewrapWalls(), '--ro-bind', input, '/in']
    if (outDir !== undefined) walls.push('--bind', outDir, '/out', '--chdir', '/out')
    return split([...limits, ...walls, '--', program, ...toolArgs(paths)], paths)
  }
  const paths = { input: `file:${input}`, inputPath: input, out: outDir ?? '/nonexistent' }
  const alone = ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--']
  return split([...limits, ...alone, program, ...toolArgs(paths)], paths)
}

function split(words: [string, ...string[]], paths: RoomPaths): SandboxCommand {
  const [command, ...args] = words
  return { command, args, paths }
}

function bubblewrapWalls(): [string, ...string[]] {
  const walls: [string, ...string[]] = [
    '/usr/bin/bwrap',
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
  ]
  walls.push('--cap-drop', 'ALL', '--clearenv', '--ro-bind', '/usr', '/usr')
  for (const name of ['lib', 'lib64', 'bin']) {
    if (existsSync(`/${name}`)) walls.push('--symlink', `usr/${name}`, `/${name}`)
  }
  // Debian links the maths libraries of ffmpeg through these two.
  walls.push('--ro-bind-try', '/etc/alternatives', '/etc/alternatives')
  walls.push('--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache')
  walls.push('--proc', '/proc', '--dev', '/dev', '--dir', '/tmp')
  return walls
}

function findProgram(name: string): string {
  for (const folder of ['/usr/local/bin', '/usr/bin', '/bin']) {
    const candidate = path.join(folder, name)
    if (existsSync(candidate)) return candidate
  }
  throw new Error(`${name} is not installed.`)
}

function tryBubblewrap(): Promise<SandboxState> {
  if (!existsSync('/usr/bin/bwrap')) return Promise.resolve('degraded')
  return new Promise((resolve) => {
    const [command, ...args] = [...bubblewrapWalls(), '--', '/usr/bin/true']
    const child = spawn(command, args, { stdio: 'ignore', timeout: 10_000 })
    child.on('error', () => resolve('degraded'))
    child.on('close', (code) => resolve(code === 0 ? 'full' : 'degraded'))
  })
}
