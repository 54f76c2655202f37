/**
 * The process that gets killed: runs lanes of operations side by side, compares each answer with
 * the model's, and notes after each operation how far its lane is. Started again, it goes on from
 * there; the one operation that may have happened without being noted is simply sent again.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseAway } from '../../../server/db/away.ts'
import { openDatabase } from '../../../server/db/open.ts'
import type { Db } from '../../../server/ground/database.ts'
import { compareOutcome, execute } from './execute.ts'
import { LedgerModel } from './model.ts'
import type { Outcome } from './model.ts'
import { operationsOf } from './operations.ts'
import type { Operation } from './operations.ts'

export interface Drive {
  url: string
  seed: string
  lanes: number
  accounts: number
  operationsEach: number
  /** One 32-bit number for each lane: operations done. */
  progressFile: string
}

/** The exit code that says: an answer differed from the model's. */
export const violationCode = 3
const reconnectMs = 50
const patienceMs = 60_000

if (import.meta.main) await drive(JSON.parse(process.argv[2] ?? '{}') as Drive)

async function drive(options: Drive): Promise<void> {
  const { db } = openDatabase(options.url, { maxConnections: options.lanes })
  const done = readProgress(options)
  const file = openSync(options.progressFile, 'r+')
  const model = new LedgerModel()
  const runLane = async (lane: number): Promise<void> => {
    const operations = operationsOf({ ...options, lane })
    const finished = done[lane] ?? 0
    for (let n = 0; n < finished; n++) model.apply(operations.next().value)
    for (let n = finished; n < options.operationsEach; n++) {
      const operation = operations.next().value
      const expected = model.apply(operation)
      const outcome = await persist(db, operation)
      const differs = compareOutcome(operation, expected, outcome)
      if (differs) {
        process.stderr.write(`lane ${lane}, operation ${n}: ${differs}\n`)
        process.exit(violationCode)
      }
      const note = Buffer.alloc(4)
      note.writeInt32LE(n + 1)
      writeSync(file, note, 0, 4, lane * 4)
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, (_, lane) => runLane(lane)))
  closeSync(file)
  await db.destroy()
}

export function readProgress(options: Pick<Drive, 'progressFile' | 'lanes'>): number[] {
  const bytes = readFileSync(options.progressFile)
  return Array.from({ length: options.lanes }, (_, lane) => bytes.readInt32LE(lane * 4))
}

/** Sends an operation until the database answers it. */
async function persist(db: Db, operation: Operation): Promise<Outcome> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await execute(db, operation)
    } catch (error) {
      if (!(error instanceof DatabaseAway) || performance.now() > deadline) throw error
      await sleep(reconnectMs)
    }
  }
}
