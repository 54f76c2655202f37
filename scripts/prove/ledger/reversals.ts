/**
 * Refunds and disputes in any order (promise 25). Payments are made, refunded and disputed at
 * random at the provider; its events are delivered in a random order, side by side, some of them
 * twice. Then credit and cash book must be what a model says that knows only what happened at the
 * provider.
 */
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { creditPackages } from '../../../domain/money/catalogue.ts'
import { captureHold, placeHold } from '../../../server/billing/hold.ts'
import { checkLedger } from '../../../server/billing/check.ts'
import { compareWithProvider } from '../../../server/payments/compare-books.ts'
import { startTestServer } from '../../../test/support/app.ts'
import type { TestServer } from '../../../test/support/app.ts'
import {
  control,
  deliverEvent,
  payOnPage,
  providerOf,
  startCheckout,
} from '../../../test/support/payments.ts'
import { randomOf } from './operations.ts'
import { plantBug } from './planted.ts'
import type { Planted } from './planted.ts'

const microsPerCent = 10_000
const sideBySide = 6
const rounds = 4

/** Course of one payment, as the provider knows it. */
interface Course {
  accountId: string
  packageId: string
  intent: string
  priceMicros: number
  bonusMicros: number
  /** Spent while all of the credit was there. */
  spentMicros: number
  refunds: { id: string; cents: number; state: 'waiting' | 'left' | 'failed' }[]
  disputes: { id: string; cents: number; state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed' }[]
}

export interface ReversalProof {
  sequences: number
  deliveries: number
  differences: string[]
}

/** Runs so many payments in one house and answers where it differs from the model. */
export async function proveReversals(options: {
  seed: string
  sequences: number
  planted?: Planted
}): Promise<ReversalProof> {
  await using server = await startTestServer({ sandbox: true })
  if (options.planted) await plantBug(server.ctx.db, options.planted)
  await control(server, 'webhooks', { drop: true })
  const random = randomOf(`${options.seed}/reversals`)
  const courses: Course[] = []
  for (let count = 0; count < options.sequences; count++) {
    courses.push(await pay(server, random))
  }
  const deliveries = await runCourses(server, courses, random)
  const differences = await compare(server, courses)
  return { sequences: courses.length, deliveries, differences }
}

async function pay(server: TestServer, random: () => number): Promise<Course> {
  const user = await server.user()
  const { id: packageId, priceMicros, bonusMicros } = pick(creditPackages, random)
  const checkout = await startCheckout(server, user, packageId)
  await payOnPage(checkout.checkout_url)
  const session = await providerOf(server).checkout.sessions.retrieve(checkout.session_id)
  return {
    accountId: user.accountId,
    packageId,
    intent: session.payment_intent as string,
    ...{ priceMicros, bonusMicros, spentMicros: 0, refunds: [], disputes: [] },
  }
}

async function runCourses(
  server: TestServer,
  courses: Course[],
  random: () => number,
): Promise<number> {
  const spenders = courses.filter(() => random() < 0.3)
  const paid = await newEvents(server, new Set())
  const credits = paid.filter((event) => event.type === 'checkout.session.completed')
  const early = credits.filter((event) => spenders.some(({ intent }) => intent === intentOf(event)))
  let deliveries = await deliver(server, early)
  for (const course of spenders) await spend(server, course, random)
  const steps = courses.flatMap((course) =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => course),
  )
  const all = [...paid]
  let waiting = [...paid]
  const order = shuffled(steps, random)
  // Some are delivered while more happens, so that what was taken is returned and taken again.
  for (let round = 0; round < rounds; round++) {
    const length = Math.ceil(order.length / rounds)
    const part = order.slice(round * length, (round + 1) * length)
    for (const course of part) await act(server, course, random)
    const fresh = await newEvents(server, new Set(all.map((event) => event.id)))
    all.push(...fresh)
    const mixed = shuffled([...waiting, ...fresh], random)
    const now = mixed.splice(0, Math.floor(mixed.length / 2))
    deliveries += await deliver(server, now)
    waiting = mixed
  }
  const twice = all.filter(() => random() < 0.3)
  // The same event again, and the same news under another id, as a second endpoint would send it.
  const renamed = all
    .filter(() => random() < 0.1)
    .map((event) => ({ ...event, id: `${event.id}b` }))
  deliveries += await deliver(server, shuffled([...waiting, ...twice, ...renamed], random))
  return deliveries
}

/**
 * One act of a merchant, a card holder or a bank. An act that the provider refuses did not happen.
 */
async function act(server: TestServer, course: Course, random: () => number): Promise<void> {
  const stripe = providerOf(server)
  const dice = random()
  const left = course.refunds.reduce(
    (sum, refund) => sum - (refund.state === 'failed' ? 0 : refund.cents),
    course.priceMicros / microsPerCent,
  )
  if (dice < 0.4) {
    const amount = random() < 0.4 ? left : 1 + Math.floor(random() * left)
    if (left === 0) return
    const pending = pick([false, false, true, 'requires_action'], random)
    try {
      await control(server, 'refunds', { pending })
      const refund = await stripe.refunds.create({ payment_intent: course.intent, amount })
      const state = refund.balance_transaction === null ? 'waiting' : 'left'
      course.refunds.push({ id: refund.id, cents: amount, state })
    } catch (error) {
      if ((error as { code?: string }).code !== 'charge_disputed') throw error
    }
    return
  }
  const waiting = course.refunds.find(({ state }) => state === 'waiting')
  if (dice < 0.55 && waiting) {
    waiting.state = random() < 0.6 ? 'left' : 'failed'
    await control(
      server,
      `refunds/${waiting.id}/${waiting.state === 'left' ? 'succeed' : 'fail'}`,
      {},
    )
    return
  }
  const refund = course.refunds.find(({ state }) => state === 'left')
  if (dice < 0.48 && refund) {
    refund.state = 'failed'
    await control(server, `refunds/${refund.id}/fail`, {})
    return
  }
  const open = course.disputes.find(({ state }) => state === 'open' || state === 'inquiry')
  if (open?.state === 'inquiry' && random() < 0.5) {
    open.state = 'open'
    await control(server, `disputes/${open.id}/escalate`, {})
    return
  }
  if (open) {
    const isWon = random() < 0.6
    await control(server, `disputes/${open.id}/close`, { won: isWon })
    open.state = open.state === 'inquiry' ? 'closed' : isWon ? 'won' : 'lost'
    return
  }
  const isInquiry = random() < 0.3
  const cents = pick([left, 0, 1, Math.floor(random() * (left + 1))], random)
  const dispute = await control<Stripe.Dispute>(server, 'disputes', {
    ...{ payment_intent: course.intent, inquiry: isInquiry, amount: cents },
  })
  // A lost dispute stays one: the bank takes no second.
  if (!dispute.id) return
  course.disputes.push({ id: dispute.id, cents, state: isInquiry ? 'inquiry' : 'open' })
}

async function spend(server: TestServer, course: Course, random: () => number): Promise<void> {
  const { db } = server.ctx
  const jobId = crypto.randomUUID()
  const now = server.ctx.now()
  const all = course.priceMicros + course.bonusMicros
  const amountMicros = 1 + Math.floor(random() * all)
  await placeHold(db, { accountId: course.accountId, jobId, amountMicros, now })
  await captureHold(db, { jobId, amountMicros, description: 'Proof', seconds: 1, now })
  course.spentMicros = amountMicros
}

/** Every event of the provider that is not known yet, oldest first. */
async function newEvents(server: TestServer, known: Set<string>): Promise<Stripe.Event[]> {
  const events: Stripe.Event[] = []
  for await (const event of providerOf(server).events.list({ limit: 100 })) {
    if (known.has(event.id)) break
    const isHeard = /^(checkout|refund|charge\.(refund|dispute))/.test(event.type)
    if (isHeard) events.push(event)
  }
  return events.reverse()
}

function intentOf(event: Stripe.Event): unknown {
  return (event.data.object as { payment_intent?: unknown }).payment_intent
}

async function deliver(server: TestServer, events: object[]): Promise<number> {
  const left = [...events]
  const carry = async (): Promise<void> => {
    for (let event = left.shift(); event; event = left.shift()) {
      const status = await deliverEvent(server, event)
      if (status !== 200) throw new Error(`An event was answered with ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, carry))
  return events.length
}

async function compare(server: TestServer, courses: Course[]): Promise<string[]> {
  const { rows } = await sql<{ account_id: string; balance: number; charged: number }>`
    select account_id, available_micros + debt_micros as balance, charged_micros as charged
    from ledger_wallets`.execute(server.ctx.db)
  const wallets = new Map(rows.map((row) => [row.account_id, row]))
  const differences = courses.flatMap((course) => {
    const expected = expect(course)
    const wallet = wallets.get(course.accountId)
    const isSame = wallet?.balance === expected.balance && wallet.charged === expected.charged
    if (isSame) return []
    return [`${JSON.stringify(course)}: ${JSON.stringify({ expected, wallet })}`]
  })
  const check = await checkLedger(server.ctx.db)
  // A day later nothing is left out for being new.
  server.clock.offsetMs = 24 * 3_600_000
  const books = await compareWithProvider(server.ctx)
  server.clock.offsetMs = 0
  return [
    ...differences,
    ...check.differences.map((difference) => `${difference.check}: ${difference.detail}`),
    ...books.differences.map((difference) => `provider: ${JSON.stringify(difference)}`),
  ]
}

/** The model: what is left of a payment follows from the sums alone, never from an order. */
function expect(course: Course): { balance: number; charged: number } {
  const refunded = course.refunds.reduce(
    (sum, item) => sum + (item.state === 'left' ? item.cents : 0),
    0,
  )
  const disputed = course.disputes.reduce(
    (sum, { state, cents }) => sum + (state === 'open' || state === 'lost' ? cents : 0),
    0,
  )
  const reversed = (refunded + disputed) * microsPerCent
  const { priceMicros: price, bonusMicros: bonus, spentMicros: spent } = course
  // The bonus goes with the money, in proportion, as far as it was not spent: it is spent first.
  const due = Math.floor((bonus * Math.min(reversed, price)) / price)
  const revoked = Math.min(due, Math.max(0, bonus - spent))
  return { balance: price + bonus - spent - reversed - revoked, charged: price - reversed }
}

function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}
