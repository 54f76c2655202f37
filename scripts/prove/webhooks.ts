/**
 * `npm run prove:webhooks`: webhooks under chaos. A receiver that fails, is slow, hangs, redirects,
 * drops connections and goes away; senders that are ended with kill -9. Every event must arrive at
 * least once, verified by the package's own verifier, and the events of one object in order.
 *
 * The pauses between attempts (up to a day) are not waited for: the proof brings waiting deliveries
 * forward, which is what time does.
 */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { emitEvent } from '../../server/webhooks/emit.ts'
import { sweepWebhooks } from '../../server/webhooks/deliver.ts'
import { startWorkerProcess } from '../../test/support/api-process.ts'
import { startTestServer } from '../../test/support/app.ts'
import type { TestServer } from '../../test/support/app.ts'
import { until } from '../../test/support/until.ts'
import { startReceiver } from '../../test/support/webhook-receiver.ts'
import type { Answer, Received, Receiver } from '../../test/support/webhook-receiver.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'
import { seeded } from '../../test/support/random.ts'

export interface Chaos {
  objects: number
  eventsOfEach: number
  /** How often the sender is killed with kill -9. */
  kills: number
  seed: number
}

export interface WebhookProof {
  emitted: number
  /** Events that were never received. */
  lost: number
  unverified: number
  /** Objects of which an event came before an earlier one had been received. */
  disordered: number
  requests: number
  repeated: number
  failures: Record<string, number>
  /** Deliveries that the sender does not know to be received. */
  open: number
}

export async function proveWebhooks(chaos: Chaos): Promise<WebhookProof> {
  await using server = await startTestServer()
  await using receiver = await startReceiver()
  return await run(server, receiver, chaos)
}

async function run(server: TestServer, receiver: Receiver, chaos: Chaos): Promise<WebhookProof> {
  const user = await server.user()
  const { webhook } = await user.client.createWebhook({
    body: { url: receiver.url, events: ['job.completed'] },
  })
  receiver.secrets.push(webhook.secret)
  const failures: Record<string, number> = {}
  const random = seeded(chaos.seed)
  receiver.answer = (_message, response) => {
    const behaviour = behaviours.find(({ below }) => random() < below)
    if (!behaviour) return 200
    failures[behaviour.name] = (failures[behaviour.name] ?? 0) + 1
    return behaviour.answer(response)
  }
  const ids = await emitAll(server, user.accountId, chaos)
  for (let kill = 0; kill < chaos.kills; kill += 1) {
    const worker = await startWorkerProcess(server)
    const goal = receiver.received.length + Math.ceil(ids.length / (chaos.kills + 2))
    const isFar = (): boolean => receiver.received.length >= goal || areAll(receiver, ids)
    await until(async () => {
      await bringForward(server)
      return isFar()
    })
    if (kill % 2 === 0) await goAway(server, receiver, failures)
    await worker.stop('SIGKILL')
  }
  const worker = await startWorkerProcess(server)
  await until(async () => {
    await bringForward(server)
    return (await countOpen(server)) === 0
  })
  await worker.stop()
  return judge(receiver.received, {
    ids,
    failures,
    unverified: receiver.unverified,
    open: await countOpen(server),
  })
}

/** Nobody listens until a few attempts have met that. */
async function goAway(
  server: TestServer,
  receiver: Receiver,
  failures: Record<string, number>,
): Promise<void> {
  const count = async (): Promise<number> => {
    const { rows } = await server.ctx.pool.query<{ count: number }>(
      `select count(*)::int as count from webhook_attempts
       where status is null and answer = 'The connection failed.'`,
    )
    return rows[0]?.count ?? 0
  }
  await receiver.down()
  const before = await count()
  const isOver = async (): Promise<boolean> => {
    await bringForward(server)
    return (await count()) >= before + 3 || (await countOpen(server)) === 0
  }
  await until(isOver)
  failures['nobody there'] = (failures['nobody there'] ?? 0) + (await count()) - before
  await receiver.up()
}

interface Behaviour {
  name: string
  /** How likely it is. */
  below: number
  answer: (response: ServerResponse) => ReturnType<Answer>
}

const behaviours: Behaviour[] = [
  { name: 'an error', below: 0.15, answer: () => 500 },
  {
    name: 'a redirect',
    below: 0.08,
    answer: (response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
      return 302
    },
  },
  {
    name: 'a dropped connection',
    below: 0.08,
    answer: (response) => {
      response.destroy()
      return 0
    },
  },
  { name: 'a slow answer', below: 0.02, answer: () => ({ status: 200, afterMs: 3000 }) },
  // Longer than the limit: the request stays open until the sender gives up.
  { name: 'silence', below: 0.01, answer: () => 0 },
]

/** Each event in a transaction of its own, objects interleaved. */
async function emitAll(server: TestServer, accountId: string, chaos: Chaos): Promise<string[]> {
  const ids: string[] = []
  const objects = Array.from({ length: chaos.objects }, () => randomUUID())
  for (let n = 0; n < chaos.eventsOfEach; n += 1) {
    for (const objectId of objects) {
      const data = { id: `${objectId} ${n}`, object: objectId, n }
      const event = { accountId, type: 'job.completed' as const, objectId, data }
      await server.ctx.db.transaction().execute((trx) => emitEvent(server.ctx, trx, event))
      ids.push(data.id)
    }
  }
  return ids
}

function areAll(receiver: Receiver, ids: readonly string[]): boolean {
  const accepted = new Set(receiver.received.filter(isAccepted).map(({ data }) => data.id))
  return ids.every((id) => accepted.has(id))
}

async function bringForward(server: TestServer): Promise<void> {
  await server.ctx.pool.query(
    `update webhook_deliveries set next_at = now() - interval '1 second'
     where state = 'waiting' and next_at > now()`,
  )
  await server.ctx.pool.query('update webhook_deliveries set tries = 0 where tries > 5')
  await sweepWebhooks(server.ctx)
}

async function countOpen(server: TestServer): Promise<number> {
  const { rows } = await server.ctx.pool.query<{ open: number }>(
    `select count(*)::int as open from webhook_deliveries where state <> 'delivered'`,
  )
  return rows[0]?.open ?? 0
}

function isAccepted({ status }: Received): boolean {
  return status === 200
}

function judge(
  received: readonly Received[],
  rest: { ids: string[]; failures: Record<string, number>; unverified: number; open: number },
): WebhookProof {
  const accepted = new Map<string, number>()
  const disordered = new Set<unknown>()
  let repeated = 0
  for (const message of received) {
    const { object, n, id } = message.data as { object: string; n: number; id: string }
    // Every earlier event of the object was received before this one was even tried.
    for (let before = 0; before < n; before += 1) {
      if (!accepted.has(`${object} ${before}`)) disordered.add(object)
    }
    if (!isAccepted(message)) continue
    if (accepted.has(id)) repeated += 1
    accepted.set(id, (accepted.get(id) ?? 0) + 1)
  }
  return {
    emitted: rest.ids.length,
    lost: rest.ids.filter((id) => !accepted.has(id)).length,
    unverified: rest.unverified,
    disordered: disordered.size,
    requests: received.length,
    repeated,
    failures: rest.failures,
    open: rest.open,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureSystemPackages(toTest)
  const started = performance.now()
  const proof = await proveWebhooks({
    objects: 100,
    eventsOfEach: 10,
    kills: 10,
    seed: 20_251_022,
  })
  console.log(proof)
  console.log(`${Math.round((performance.now() - started) / 1000)} s`)
  const isWrong = proof.lost + proof.unverified + proof.disordered + proof.open > 0
  if (isWrong) console.error('FAILED: an event was lost, forged or out of order.')
  process.exit(isWrong ? 1 : 0)
}
