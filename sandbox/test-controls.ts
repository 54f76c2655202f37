/** Levers for tests and demonstrations; the product knows nothing of them. */
import { answerJson } from './http.ts'
import type { Answer, Request, Route } from './http.ts'
import type { ApiControl } from './stripe/api.ts'
import { ApiError } from './stripe/errors.ts'
import type { Webhooks } from './stripe/events.ts'
import type { Provider } from './stripe/objects.ts'
import {
  bookLateMovements,
  closeDispute,
  escalateDispute,
  failRefund,
  openDispute,
  succeedRefund,
} from './stripe/refunds.ts'

type Body = Record<string, unknown>

export function testControlRoutes(
  provider: Provider,
  webhooks: Webhooks,
  api: ApiControl,
): Route[] {
  return [
    post('/test/webhooks', (body) => {
      const { delay_ms: delayMs, drop } = body
      if (typeof delayMs === 'number') webhooks.control.delayMs = Math.min(delayMs, 600_000)
      if (drop === true) webhooks.control.dropTypes = 'all'
      else if (drop === false) webhooks.control.dropTypes = []
      else if (Array.isArray(drop)) webhooks.control.dropTypes = drop.map(String)
      return { delay_ms: webhooks.control.delayMs, drop: webhooks.control.dropTypes }
    }),
    post('/test/api', (body) => {
      const { delay_ms: delayMs, fail_next: failNext, break_next: breakNext, restricted } = body
      if (typeof delayMs === 'number') api.delayMs = Math.min(delayMs, 60_000)
      if (typeof failNext === 'number') api.failNext = failNext
      if (typeof breakNext === 'number') api.breakNext = breakNext
      if (typeof restricted === 'boolean') api.isRestricted = restricted
      return api
    }),
    ['GET', '/test/deliveries', () => listDeliveries(provider)],
    post('/test/events/:id/resend', (_body, path) => {
      const delivery = webhooks.resend(path['id'] ?? '')
      if (delivery !== undefined) return delivery
      throw new ApiError(404, { type: 'invalid_request_error', message: 'No such event.' })
    }),
    post('/test/disputes', (body) =>
      openDispute(provider, {
        charge: text(body['charge']),
        paymentIntent: text(body['payment_intent']),
        reason: text(body['reason']),
        isInquiry: body['inquiry'] === true,
        amount: typeof body['amount'] === 'number' ? body['amount'] : undefined,
      }),
    ),
    post('/test/disputes/:id/close', (body, path) =>
      closeDispute(provider, path['id'] ?? '', body['won'] === true),
    ),
    post('/test/disputes/:id/escalate', (_body, path) =>
      escalateDispute(provider, path['id'] ?? ''),
    ),
    post('/test/refunds', ({ pending }) => {
      const waiting = pending === 'requires_action' ? pending : 'pending'
      provider.levers.refundStatus = pending ? waiting : 'succeeded'
      return { status: provider.levers.refundStatus }
    }),
    post('/test/refunds/:id/succeed', (_body, path) => succeedRefund(provider, path['id'] ?? '')),
    post('/test/movements', ({ late }) => {
      provider.levers.areMovementsLate = late === true
      return { booked: late === true ? 0 : bookLateMovements(provider) }
    }),
    post('/test/refunds/:id/fail', (_body, path) => failRefund(provider, path['id'] ?? '')),
  ]
}

function listDeliveries({ store }: Provider): Answer {
  const types = new Map(store.rows('event').map((event) => [event.id, event.type]))
  const deliveries = store.rows('delivery').toReversed().slice(0, 1000)
  return answerJson(200, {
    deliveries: deliveries.map((delivery) => ({ ...delivery, type: types.get(delivery.event) })),
  })
}

function post(path: string, act: (body: Body, path: Record<string, string>) => object): Route {
  return ['POST', path, (request) => control(request, act)]
}

/** JSON only: a page of another origin cannot send that without asking, and is not answered. */
function control(
  request: Request,
  act: (body: Body, path: Record<string, string>) => object,
): Answer {
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) {
    return answerJson(415, { error: { message: 'Send JSON.' } })
  }
  try {
    const body: unknown = JSON.parse(request.body === '' ? '{}' : request.body)
    return answerJson(200, act(body as Body, request.path))
  } catch (error) {
    if (error instanceof ApiError) return answerJson(error.status, { error: error.body })
    if (error instanceof SyntaxError) return answerJson(400, { error: { message: error.message } })
    throw error
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
