/**
 * Media tools read files that strangers made, so each run is isolated as well as the machine
 * allows. Limits on memory, CPU time and file size, no new privileges and an empty environment hold
 * always.
 *
 * - `locked`: bubblewrap gives the tool its libraries, one input read-only and one output folder;
 *   no network, no other process, no capability. The seccomp filter refuses sockets, new processes
 *   and nested namespaces.
 * - `reduced`: root without user namespaces, or where they do not reach the files. Each run has its
 *   own user id, so it reads neither the service's files nor its environment; the same filter takes
 *   the network away.
 * - `unlocked`: an ordinary user where neither works. The tool runs as the service's user. The
 *   filter still applies where Perl can load it. server/ground/isolation.ts decides who may run
 *   like this.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { findProgram, launchers } from './programs.ts'
import { prctlNumber, seccompFilter } from './seccomp.ts'

export interface ToolLimits {
  memoryBytes: number
  cpuSeconds: number
  fileBytes: number
}

export interface ToolAccess {
  program: string
  /** The only file the tool may read. */
  input: string
  /** The only folder it may write to; none means it can write nowhere. */
  outDir?: string
  /** Names of further files in `outDir` that it reads. */
  alsoReads?: readonly string[]
  limits: ToolLimits
}

export interface ToolPaths {
  /** The input for ffmpeg, with the prefix that keeps it from reading a scheme. */
  input: string
  /** The input for every other tool. */
  inputPath: string
  /** The output folder as the tool sees it. */
  out: string
}

export interface IsolatedCommand {
  command: string
  args: string[]
  paths: ToolPaths
  /** Bytes to write to `fds.filter`, which is a pipe. */
  filter: Buffer | null
  /** To be opened as `fds.input` and closed after the start. */
  input: FileHandle | null
}

export type IsolationState = 'locked' | 'reduced' | 'unlocked'

let knownState: Promise<IsolationState> | undefined

/** Tries out what this machine allows, once. */
export function isolationState(): Promise<IsolationState> {
  knownState ??= findState()
  return knownState
}

/** The command line that runs `toolArgs`; the launcher reads from the free descriptors `fds`. */
export async function isolate(
  access: ToolAccess,
  state: IsolationState,
  fds: { filter: number; input: number },
  toolArgs: (paths: ToolPaths) => string[],
): Promise<IsolatedCommand> {
  const input = path.resolve(access.input)
  const outDir = access.outDir === undefined ? undefined : path.resolve(access.outDir)
  const program = findProgram(access.program)
  if (program === undefined) throw new Error(`${access.program} is not installed.`)
  const limits = limitWords(access.limits)
  const filter = seccompFilter()
  if (state === 'locked') {
    const paths = { input: 'file:/in', inputPath: '/in', out: '/out' }
    const walls = [...bubblewrap(fds.filter), '--ro-bind', input, '/in']
    if (outDir !== undefined) walls.push('--bind', outDir, '/out', '--chdir', '/out')
    walls.push(...readOnlyRoot)
    const words = [...limits, ...walls, '--', program, ...toolArgs(paths)]
    return { ...split(words), paths, filter, input: null }
  }
  if (state === 'reduced') {
    const inputPath = `/proc/self/fd/${fds.input}`
    const paths = { input: `file:${inputPath}`, inputPath, out: '.' }
    const words = [...limits, ...ownUser(fds.filter), program, ...toolArgs(paths)]
    if (outDir === undefined && access.alsoReads)
      throw new Error('Pieces lie in the output folder.')
    const pieces = (access.alsoReads ?? []).map((name) => path.join(outDir!, name))
    return { ...split(words), paths, filter, input: await grantAccess(input, outDir, pieces) }
  }
  const paths = { input: `file:${input}`, inputPath: input, out: outDir ?? '/nonexistent' }
  const isFiltered = filter !== null && existsSync(launchers.perl)
  const launcher = isFiltered ? loadFilter(fds.filter) : []
  const words = [...limits, ...setpriv(), ...launcher, program, ...toolArgs(paths)]
  return { ...split(words), paths, filter: isFiltered ? filter : null, input: null }
}

function split([command = '', ...args]: string[]): { command: string; args: string[] } {
  return { command, args }
}

function limitWords(limits: ToolLimits): string[] {
  return [
    launchers.prlimit,
    `--as=${limits.memoryBytes}`,
    `--cpu=${limits.cpuSeconds}`,
    `--fsize=${limits.fileBytes}`,
    '--core=0',
    '--nofile=256',
  ]
}

/** Memory that a tool's own files in /tmp may take. */
const temporaryBytes = 16 * 1024 ** 2

function bubblewrap(filterFd: number): string[] {
  const walls = [launchers.bwrap, '--unshare-all', '--die-with-parent', '--new-session']
  walls.push('--seccomp', String(filterFd))
  walls.push('--cap-drop', 'ALL', '--clearenv', '--ro-bind', '/usr', '/usr')
  for (const name of ['lib', 'lib64', 'bin']) {
    if (existsSync(`/${name}`)) walls.push('--symlink', `usr/${name}`, `/${name}`)
  }
  // Debian links the maths libraries of ffmpeg through these two.
  walls.push('--ro-bind-try', '/etc/alternatives', '/etc/alternatives')
  walls.push('--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache')
  walls.push('--proc', '/proc', '--dev', '/dev', '--size', String(temporaryBytes))
  return [...walls, '--tmpfs', '/tmp']
}

/** Both are file systems in memory without a limit: a writer could fill the machine. */
const readOnlyRoot = ['--remount-ro', '/dev', '--remount-ro', '/']

/**
 * No program of Debian 12 loads a seccomp filter without making namespaces, but Perl, which every
 * Debian and Ubuntu has (perl-base is essential), can make the one system call. It reads the filter
 * from a descriptor, loads it and becomes the tool.
 */
const filterLoader = `
my ($prctl, $fd) = splice(@ARGV, 0, 2);
open(my $pipe, '<&=', $fd) or die "filter: $!";
binmode($pipe);
my $filter = do { local $/; <$pipe> };
close($pipe);
my $program = pack('S x!8 P', length($filter) / 8, $filter);
syscall($prctl, 22, 2, $program) == 0 or die "seccomp: $!"; # PR_SET_SECCOMP, MODE_FILTER
umask(0007);
exec { $ARGV[0] } @ARGV or die "exec: $!";
`

function loadFilter(filterFd: number): string[] {
  return [launchers.perl, '-e', filterLoader, '--', String(prctlNumber()), String(filterFd)]
}

function setpriv(...more: string[]): string[] {
  return [launchers.setpriv, ...more, '--pdeathsig', 'KILL', '--no-new-privs', '--']
}

/**
 * Ids for `reduced`. They lie in the range that systemd gives to passing services and nobody owns
 * a file; a container that was given only 65,536 ids has them too. Each run has a user of its own,
 * so that tools cannot look into each other through /proc, and threads can be counted by user.
 */
const firstUser = 61_200
const userCount = 4000
const toolGroup = 65_300
const maxThreads = 512
let lastUser = randomInt(userCount)

function ownUser(filterFd: number): string[] {
  lastUser = (lastUser + 1) % userCount
  const user = String(firstUser + lastUser)
  const ids = ['--reuid', user, '--regid', String(toolGroup), '--clear-groups']
  const rights = ['--inh-caps', '-all', '--bounding-set', '-all']
  const threads = [launchers.prlimit, `--nproc=${maxThreads}`]
  return [...threads, ...setpriv(...ids, ...rights), ...loadFilter(filterFd)]
}

/**
 * The tool gets the input as an open file and the output folder as its working directory, so the
 * folders above them stay closed to it. The two themselves, and other files that are read in the
 * output folder, are opened to the tools' group.
 */
async function grantAccess(
  input: string,
  outDir: string | undefined,
  pieces: readonly string[],
): Promise<FileHandle> {
  if (outDir !== undefined) await grantGroup(await open(outDir), 0o2770).then((dir) => dir.close())
  for (const piece of pieces) {
    // The tool reports one that is missing, as it does in the other states.
    const file = await openToGroup(piece).catch(unlessMissing)
    await file?.close()
  }
  return await openToGroup(input)
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}

async function openToGroup(name: string): Promise<FileHandle> {
  const file = await open(name)
  const { mode } = await file.stat()
  return (mode & 0o004) !== 0 ? file : grantGroup(file, 0o040)
}

async function grantGroup(handle: FileHandle, bits: number): Promise<FileHandle> {
  const { uid, gid, mode } = await handle.stat()
  if (gid !== toolGroup) await handle.chown(uid, toolGroup)
  if ((mode & bits) !== bits) await handle.chmod((mode & 0o7777) | bits)
  return handle
}

async function findState(): Promise<IsolationState> {
  const filter = seccompFilter()
  if (filter === null) return 'unlocked'
  // Root in a namespace may not pass another user's closed home, where the files may lie.
  const here = ['--ro-bind', process.cwd(), '/in']
  const locked = [...bubblewrap(3), ...here, ...readOnlyRoot, '--', '/usr/bin/true']
  if (await endsWell(locked, filter)) return 'locked'
  const isRoot = process.getuid?.() === 0
  if (isRoot && (await endsWell([...ownUser(3), '/usr/bin/true'], filter))) return 'reduced'
  return 'unlocked'
}

async function endsWell(words: string[], filter: Buffer): Promise<boolean> {
  const { command, args } = split(words)
  if (!(await stat(command).catch(() => null))) return false
  return new Promise((resolve) => {
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const
    const child = spawn(command, args, { stdio: [...stdio], env: {}, timeout: 10_000 })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
    sendFilter(child.stdio[3], filter)
  })
}

/** A launcher that has ended reads nothing more; its exit code says why. */
export function sendFilter(pipe: unknown, filter: Buffer): void {
  const stream = pipe as NodeJS.WritableStream
  stream.on('error', () => undefined)
  stream.end(filter)
}
