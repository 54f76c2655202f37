/** The short version of `npm run prove:jobs`. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHouse } from '../../scripts/prove/jobs-fixture.ts'
import type { House } from '../../scripts/prove/jobs-fixture.ts'
import {
  proveDeaths,
  proveFairness,
  proveKill,
  provePoison,
  proveStop,
  proveZombie,
} from '../../scripts/prove/jobs.ts'
import { proveTasks } from '../../scripts/prove/tasks.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { isWholeRun, slow, slowUnless } from '../../test/support/slow.ts'

describe('jobs under faults', { timeout: 600_000 }, () => {
  let database: TestDatabase
  let house: House
  before(async () => {
    database = await openTestDatabase()
    house = await openHouse({ databaseUrl: database.url })
  })
  after(async () => {
    await house.close()
    await database.close()
  })

  for (const step of ['files-stored', 'end-written', 'parts-written', 'part-written'] as const) {
    it(
      `a worker killed at ${step} charges once and leaves nothing`,
      slowUnless(step === 'end-written'),
      async () => {
        assert.deepEqual((await proveKill(house, step, 1)).breaches, [])
      },
    )
  }
  it('a frozen worker that wakes up commits nothing', slow, async () => {
    assert.deepEqual((await proveZombie(house, 'result-arrived', 1)).breaches, [])
  })
  it('workers killed over healthy jobs leave one charged result of each', slow, async () => {
    assert.deepEqual((await proveDeaths(house, { jobs: 3, kills: 4 })).breaches, [])
  })
  it(
    'a poisonous job fails after three attempts or ten deaths and costs nothing',
    slow,
    async () => {
      assert.deepEqual((await provePoison(house, { deathsBefore: 8 })).breaches, [])
    },
  )
  it('a worker that is asked to stop hands its jobs back', slow, async () => {
    assert.deepEqual((await proveStop(house, isWholeRun ? 2 : 1)).breaches, [])
  })
  it('each background task of a killed worker goes on within a minute', async () => {
    assert.deepEqual((await proveTasks(house)).breaches, [])
  })
  it('accounts take turns', async () => {
    assert.deepEqual((await proveFairness(house, isWholeRun ? 12 : 6)).breaches, [])
  })
})
