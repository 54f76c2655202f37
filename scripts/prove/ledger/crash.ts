/**
 * Runs the operations, killing the client, a database session's process or the whole database with
 * SIGKILL again and again, and answers with the hash of the state in which it ends.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { checkLedger } from '../../../server/billing/check.ts'
import { startEmbeddedPostgres } from '../../../server/db/embedded.ts'
import type { EmbeddedPostgres } from '../../../server/db/embedded.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { openDatabase } from '../../../server/db/open.ts'
import { readProgress } from './drive.ts'
import type { Drive } from './drive.ts'
import { compareState, hashState, openAccounts } from './execute.ts'
import { LedgerModel } from './model.ts'
import { accountsOf, operationsOf, randomOf } from './operations.ts'

const victims = ['client', 'session', 'database'] as const
type Victim = (typeof victims)[number]

export interface StreamResult {
  hash: string
  kills: Record<Victim, number>
  differences: string[]
  transactions: number
  entries: number
  seconds: number
}

export async function runStream(options: {
  dir: string
  seed: string
  lanes: number
  accounts: number
  operationsEach: number
  kills: number
}): Promise<StreamResult> {
  const started = performance.now()
  let postgres = await startDatabase(join(options.dir, 'postgres'))
  const progressFile = join(options.dir, 'progress')
  writeFileSync(progressFile, Buffer.alloc(4 * options.lanes))
  const drive: Drive = { ...options, url: postgres.url, progressFile }
  await prepare(drive)

  const kills = { client: 0, session: 0, database: 0 }
  const random = randomOf(`${options.seed}/kills`)
  const total = options.lanes * options.operationsEach
  let client = startClient(drive)
  for (let count = 1; count <= options.kills; count++) {
    // Spread over the run; the last kills come before the last operations.
    const threshold = Math.floor((total * 0.97 * (count - random() * 0.5)) / options.kills)
    await progressBeyond(drive, client, threshold)
    const victim = victims[count % victims.length] ?? 'client'
    if (victim === 'client') {
      client.process.kill('SIGKILL')
      await client.ended
      client = startClient(drive)
    } else if (victim === 'database') {
      postgres = await killAndRestart(postgres, join(options.dir, 'postgres'))
    } else if (!killSession(postgres.pid, random)) {
      count -= 1
      continue
    }
    kills[victim] += 1
  }
  await expectSuccess(client)
  const result = await conclude(drive)
  await postgres.stop()
  return { ...result, kills, seconds: (performance.now() - started) / 1000 }
}

/**
 * The disk's confirmation is skipped, which makes hundreds of recoveries affordable: processes die
 * here, the machine does not, and what a process gave to the kernel is not lost with it. Commits
 * still wait until their log has reached the kernel (prepare).
 */
function startDatabase(dir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dir, durable: false })
}

async function prepare(drive: Drive): Promise<void> {
  await migrate(drive.url)
  const { db } = openDatabase(drive.url, { maxConnections: 1 })
  await sql`alter database cutindex set synchronous_commit = on`.execute(db)
  for (let lane = 0; lane < drive.lanes; lane++) {
    await openAccounts(db, accountsOf({ ...drive, lane }))
  }
  await db.destroy()
}

interface Client {
  process: ChildProcess
  ended: Promise<number | null>
}

function startClient(drive: Drive): Client {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'drive.ts'), JSON.stringify(drive)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code))
  })
  return { process: child, ended }
}

async function progressBeyond(drive: Drive, client: Client, threshold: number): Promise<void> {
  for (;;) {
    const done = readProgress(drive).reduce((sum, lane) => sum + lane, 0)
    if (done >= threshold) return
    if (client.process.exitCode !== null) await expectSuccess(client)
    await sleep(5)
  }
}

async function expectSuccess(client: Client): Promise<void> {
  const code = await client.ended
  if (code !== 0) throw new Error(`The client ended with code ${code}: a violation or a fault.`)
}

async function killAndRestart(postgres: EmbeddedPostgres, dir: string): Promise<EmbeddedPostgres> {
  process.kill(postgres.pid, 'SIGKILL')
  await postgres.ended
  for (let attempt = 0; ; attempt++) {
    try {
      return await startDatabase(dir)
    } catch (error) {
      // The orphaned sessions of the killed server need a moment to notice and to go.
      if (attempt === 50) throw error
      await sleep(100)
    }
  }
}

/** Kills one session's process; the server then ends all sessions and recovers by itself. */
function killSession(postmasterPid: number, random: () => number): boolean {
  const children = readFileSync(`/proc/${postmasterPid}/task/${postmasterPid}/children`, 'utf8')
  const sessions = children
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => commandOf(pid).includes('[local]'))
  const pid = sessions[Math.floor(random() * sessions.length)]
  if (pid === undefined) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function conclude(drive: Drive): Promise<Omit<StreamResult, 'kills' | 'seconds'>> {
  const model = new LedgerModel()
  for (let lane = 0; lane < drive.lanes; lane++) {
    const operations = operationsOf({ ...drive, lane })
    for (let n = 0; n < drive.operationsEach; n++) model.apply(operations.next().value)
  }
  const { db } = openDatabase(drive.url, { maxConnections: 6 })
  try {
    const check = await checkLedger(db)
    const differences = [
      ...(await compareState(db, model)),
      ...check.differences.map(
        (difference) => `${difference.check}: ${difference.subject} ${difference.detail}`,
      ),
    ]
    const { transactions, entries } = check
    return { hash: await hashState(db), differences, transactions, entries }
  } finally {
    await db.destroy()
  }
}
