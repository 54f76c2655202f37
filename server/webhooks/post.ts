/** One attempt: a signed POST to an address that was checked, its answer read to 1 KB. */
import type { Readable } from 'node:stream'
import { Webhook } from 'standardwebhooks'
import { request } from 'undici'
import { webhookLimits } from '../../domain/money/catalogue.ts'
import { openAgent } from '../outbound/agent.ts'
import type { Context } from '../ground/context.ts'

export interface Attempt {
  at: Date
  ms: number
  status: number | null
  answer: string
  isReceived: boolean
}

const limitMs = 10_000
const tooLate = 'No answer within 10 seconds.'

export async function post(
  ctx: Context,
  message: { url: string; eventId: string; body: string; secrets: readonly string[] },
): Promise<Attempt> {
  const at = ctx.now()
  const startMs = performance.now()
  const end = (status: number | null, answer: string): Attempt => ({
    at,
    ms: Math.round(performance.now() - startMs),
    status,
    answer,
    isReceived: status !== null && status >= 200 && status < 300,
  })
  const target = new URL(message.url)
  // The signature's time is checked by the receiver's clock, whatever a test does to ours.
  const signedAt = new Date()
  const signal = AbortSignal.timeout(limitMs)
  const agent = await openInTime(ctx, target, signal)
  if (agent === 'late') return end(null, tooLate)
  if (!agent) return end(null, 'The address is not public or cannot be found.')
  try {
    const { statusCode, body } = await request(target, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: {
        'user-agent': 'CutIndex',
        'content-type': 'application/json',
        'webhook-id': message.eventId,
        'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
        'webhook-signature': message.secrets
          .map((secret) => new Webhook(secret).sign(message.eventId, signedAt, message.body))
          .join(' '),
      },
      body: message.body,
    })
    return end(statusCode, await readStart(body))
  } catch {
    return end(null, signal.aborted ? tooLate : 'The connection failed.')
  } finally {
    await agent.destroy()
  }
}

/** A name server that does not answer counts against the limit too. */
async function openInTime(ctx: Context, target: URL, signal: AbortSignal) {
  const opening = openAgent(ctx.config, target)
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  signal.addEventListener('abort', () => resolve('late'), { once: true })
  const opened = await Promise.race([opening, late])
  if (opened === 'late') void opening.then((agent) => agent?.destroy())
  return opened
}

/** The status counts once it is there; a body that breaks off or drips takes nothing from it. */
async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes >= webhookLimits.answerBytes) break
    }
  } catch {
    // Use the part that arrived.
  }
  const text = Buffer.concat(chunks).subarray(0, webhookLimits.answerBytes).toString()
  // The database keeps no U+0000.
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
