/**
 * Events and their signed deliveries.
 *
 * A delivery is `pending` until the receiver answers 2xx (`delivered`), a test control loses it
 * (`dropped`) or three days pass (`abandoned`). Pending ones are taken up again after a restart.
 */
import { createHmac } from 'node:crypto'
import { createId, nowSeconds } from '../ids.ts'
import type { Store } from '../store.ts'
import { apiVersion } from './objects.ts'
import type { Delivery, Event, PaymentTables } from './objects.ts'

const timeoutMs = 10_000
const longestWaitMs = 60_000
const giveUpAfterMs = 3 * 24 * 3600 * 1000
const parallelLimit = 16

export type Webhooks = {
  emit: (type: string, object: unknown) => void
  resend(eventId: string): Delivery | undefined
  control: { delayMs: number; dropTypes: string[] | 'all' }
  stop(): Promise<void>
}

export function startWebhooks(
  store: Store<PaymentTables>,
  target: { url: string; secret: string } | undefined,
): Webhooks {
  const control: Webhooks['control'] = { delayMs: 0, dropTypes: [] }
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const busy = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function pump(): void {
    clearTimeout(timer)
    if (stopping.signal.aborted || target === undefined) return
    const waiting = store
      .rows('delivery')
      .filter((delivery) => delivery.status === 'pending' && !busy.has(delivery.id))
      .sort((left, right) => left.nextAtMs - right.nextAtMs)
    for (const delivery of waiting) {
      if (busy.size >= parallelLimit || delivery.nextAtMs > Date.now()) break
      busy.add(delivery.id)
      const attempt = attemptDelivery(store, delivery, target, stopping.signal).finally(() => {
        busy.delete(delivery.id)
        running.delete(attempt)
        pump()
      })
      running.add(attempt)
    }
    const next = waiting.find((delivery) => !busy.has(delivery.id))
    if (next === undefined || busy.size >= parallelLimit) return
    timer = setTimeout(pump, Math.max(1, next.nextAtMs - Date.now()))
  }

  function enqueue(event: Event, isLost: boolean): Delivery | undefined {
    if (target === undefined) return undefined
    const delivery: Delivery = {
      id: createId('whd_', 16),
      event: event.id,
      status: isLost ? 'dropped' : 'pending',
      attempts: 0,
      nextAtMs: Date.now() + control.delayMs,
      lastStatus: null,
      lastError: null,
      createdAtMs: Date.now(),
    }
    store.put('delivery', delivery.id, delivery)
    // Let the request that caused the event finish and be written first.
    setImmediate(pump)
    return delivery
  }

  setImmediate(pump)
  return {
    control,
    emit(type, object) {
      const event: Event = {
        id: createId('evt_1', 23),
        object: 'event',
        api_version: apiVersion,
        created: nowSeconds(),
        data: { object: structuredClone(object) },
        livemode: false,
        pending_webhooks: target === undefined ? 0 : 1,
        request: { id: null, idempotency_key: null },
        type,
      }
      store.put('event', event.id, event)
      enqueue(event, control.dropTypes === 'all' || control.dropTypes.includes(type))
    },
    resend(eventId) {
      const event = store.get('event', eventId)
      return event === undefined ? undefined : enqueue(event, false)
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await Promise.allSettled(running)
    },
  }
}

/** The provider's header: a time and an HMAC of the time and the exact body. */
export function signPayload(payload: string, secret: string, atSeconds: number): string {
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${payload}`).digest('hex')
  return `t=${atSeconds},v1=${signature}`
}

async function attemptDelivery(
  store: Store<PaymentTables>,
  delivery: Delivery,
  target: { url: string; secret: string },
  stopping: AbortSignal,
): Promise<void> {
  const event = store.get('event', delivery.event)
  if (event === undefined) {
    store.put('delivery', delivery.id, { ...delivery, status: 'abandoned' })
    return
  }
  const payload = JSON.stringify(event, null, 2)
  const outcome = await send(target, payload, stopping)
  // An attempt that our own stop cut short is not the receiver's failure.
  if (stopping.aborted && outcome.status === null) return
  const attempts = delivery.attempts + 1
  const isDelivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300
  const isOld = Date.now() - delivery.createdAtMs > giveUpAfterMs
  store.put('delivery', delivery.id, {
    ...delivery,
    attempts,
    status: isDelivered ? 'delivered' : isOld ? 'abandoned' : 'pending',
    nextAtMs: Date.now() + Math.min(longestWaitMs, 500 * 2 ** Math.min(attempts, 10)),
    lastStatus: outcome.status,
    lastError: outcome.error,
  })
  if (isDelivered) store.put('event', event.id, { ...event, pending_webhooks: 0 })
  store.flush()
}

async function send(
  target: { url: string; secret: string },
  payload: string,
  stopping: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const response = await fetch(target.url, {
      method: 'POST',
      body: payload,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signPayload(payload, target.secret, nowSeconds()),
      },
      signal: AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return { status: response.status, error: null }
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : String(error) }
  }
}
