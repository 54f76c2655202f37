/** Auto-reload over any course of spending, waiting, declines, new cards and outages. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { reconcilePayments } from '../../server/payments/reconcile.ts'
import { runAutoReload } from '../../server/payments/auto-reload.ts'
import {
  chargesOf,
  control,
  enableAutoReload,
  leaveWithUsd,
  power,
  saveCard,
} from '../support/payments.ts'
import { isWholeRun } from '../support/slow.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { use } from '../support/use.ts'

const hourMs = 3_600_000
const server = use(() => startTestServer({ sandbox: true }))
let user: TestUser

type Step =
  | { kind: 'wait'; minutes: number }
  | { kind: 'spend'; checks: number }
  | { kind: 'card'; number: string }
  | { kind: 'outage' | 'reconcile' | 'enable' }

// Mostly spending and short waits, so that every limit is run into.
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('spend'), checks: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      minutes: fc.constantFrom(0.5, 0.5, 1.1, 1.1, 5, 61, 361, 1441),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('card'),
      number: fc.constantFrom('4242424242424242', '4000000000000341', '5555555555554444'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('outage', 'reconcile', 'enable') }),
  },
)

it('attempts keep their distances, and credit equals what was charged', async () => {
  const courses = fc.array(step, { minLength: 40, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(courses, async (steps) => {
      user = await server.user()
      await enableAutoReload(server, user, '4242424242424242')
      for (const step of steps) await take(step)
      await control(server, 'api', { fail_next: 0 })
      await checkCourse()
    }),
    { numRuns: isWholeRun ? 5 : 2, endOnFailure: true },
  )
})

async function take(step: Step): Promise<void> {
  if (step.kind === 'wait') {
    server.clock.offsetMs += step.minutes * 60_000
  } else if (step.kind === 'spend') {
    await leaveWithUsd(server, user, '1')
    await Promise.all(Array.from({ length: step.checks }, reload))
  } else if (step.kind === 'card') {
    const id = await saveCard(server, user, step.number)
    await user.client.setDefaultPaymentMethod({ params: { id } })
  } else if (step.kind === 'outage') {
    await control(server, 'api', { fail_next: 3 })
    await reload()
    await control(server, 'api', { fail_next: 0 })
  } else if (step.kind === 'reconcile') {
    await reconcilePayments(server.ctx)
  } else {
    await user.client.saveAutoReload({ body: { enabled: true, ...power } })
  }
}

async function checkCourse(): Promise<void> {
  const attempts = await server.ctx.db
    .selectFrom('reloads')
    .selectAll()
    .where('account_id', '=', user.accountId)
    .orderBy('created_at')
    .execute()
  let declines = 0
  for (const [index, attempt] of attempts.entries()) {
    const at = attempt.created_at.getTime()
    const before = attempts[index - 1]
    const third = attempts[index - 3]
    if (before) assert.ok(at - before.created_at.getTime() >= 60_000, 'a minute apart')
    if (third) assert.ok(at - third.created_at.getTime() >= 24 * hourMs, 'three in a day')
    const isSameCard = before?.card_id === attempt.card_id
    if (before?.decline_code === 'generic_decline') {
      declines = isSameCard ? declines + 1 : 0
      const pauseMs = [0, hourMs, 6 * hourMs, 24 * hourMs][declines] ?? 24 * hourMs
      const settled = before.settled_at?.getTime() ?? 0
      if (isSameCard) assert.ok(at - settled >= pauseMs, `pause after decline ${declines}`)
    } else if (before?.status === 'credited') declines = 0
  }
  const paid = (await chargesOf(server, user)).filter((charge) => charge.paid)
  const credited = attempts.filter((attempt) => attempt.status === 'credited')
  const open = attempts.filter((attempt) => attempt.status === 'pending')
  assert.ok(open.length <= 1)
  assert.equal(credited.length, paid.length)
  assert.deepEqual(
    new Set(credited.map((attempt) => attempt.payment_intent_id)),
    new Set(paid.map((charge) => charge.payment_intent)),
  )
  const stats = await user.client.getBillingStats()
  assert.equal(stats.total_spent_usd, 50 * paid.length)
}

function reload() {
  return runAutoReload(server.ctx, user.accountId)
}
