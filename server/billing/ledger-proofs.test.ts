/** Short versions of what `npm run prove:ledger` shows in full. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCalendar } from '../../scripts/prove/ledger/calendar.ts'
import { runStream } from '../../scripts/prove/ledger/crash.ts'
import { catchBug, plantBug, plantedBugs } from '../../scripts/prove/ledger/planted.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import { slow, slowUnless } from '../../test/support/slow.ts'
import { mkdtempDisposable } from 'node:fs/promises'

/** The first bug in each of these is planted in every run. */
const alwaysPlanted = ['ledger_lock', 'ledger_settle_reversal']

for (const [at, planted] of plantedBugs.entries()) {
  const isFirst = plantedBugs.findIndex((bug) => bug.in === planted.in) === at
  const stays = slowUnless(isFirst && alwaysPlanted.includes(planted.in))
  test(`caught when planted: ${planted.bug}`, stays, async () => {
    await using database = await openTestDatabase({ maxConnections: 20 })
    await plantBug(database.db, planted)
    assert.notEqual(await catchBug(database.db, planted), null)
  })
}

test('three months of a simulated clock: one grant a month, nothing left of it, holds live on', async () => {
  await using database = await openTestDatabase()
  const done = await runCalendar(database.db, { days: 90, accounts: 20 })
  assert.deepEqual(done.violations, [])
  assert.ok(done.grants > 20)
  assert.ok(done.heldAcrossMonths > 0)
})

test(
  'client, session and database killed with -9: the state is that of the calm run',
  slow,
  async () => {
    await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-crash-'))
    const dir = scratch.path
    const stream = { seed: 'short', lanes: 3, accounts: 3, operationsEach: 150 }
    const calm = await runStream({ ...stream, dir: join(dir, 'calm'), kills: 0 })
    const rough = await runStream({ ...stream, dir: join(dir, 'rough'), kills: 3 })
    assert.deepEqual([...calm.differences, ...rough.differences], [])
    assert.deepEqual(rough.kills, { client: 1, session: 1, database: 1 })
    assert.equal(rough.hash, calm.hash)
  },
)
