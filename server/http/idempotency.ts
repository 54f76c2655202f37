/**
 * `Idempotency-Key`: the first request with a key runs, later ones get its answer. An answer may
 * hold a secret that is shown once (an API key), so it is stored encrypted under a key derived from
 * the caller's own Idempotency-Key, of which only a hash is kept.
 *
 * Between a request's work and its stored answer a process can die, and a request can take longer
 * than its key is kept for it. So each key has an effect id, which whoever runs the request next
 * receives too: what costs money is made under that id and is found by it.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'

export interface Answer {
  status: number
  body: unknown
}

/** A request that died without an answer frees its key after this time. */
const abandonedAfterMs = 60_000

export async function runOnce(
  ctx: Context,
  request: { accountId: string; key: string; endpoint: string; body: unknown },
  run: (effectId: string) => Promise<Answer>,
): Promise<Answer> {
  if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
    throw new Refusal('malformed', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  const keyHash = sha256(request.key).toString('hex')
  const bodyHash = sha256(JSON.stringify([request.endpoint, request.body ?? null]))
  const claimed = await claim(ctx, request, keyHash, bodyHash)
  if ('sealed' in claimed) return open(request.key, claimed.sealed)
  const mine = ctx.db
    .updateTable('idempotent_requests')
    .where('account_id', '=', request.accountId)
    .where('key_sha256', '=', keyHash)
  try {
    const answer = await run(claimed.effectId)
    await mine.set({ answer: seal(request.key, answer) }).execute()
    return answer
  } catch (error) {
    // Refused: nothing was made. Anything else may have happened after the work, so the next one
    // may run at once, but under the same effect id.
    if (!(error instanceof Refusal)) {
      await mine
        .where('answer', 'is', null)
        .set({ created_at: new Date(0) })
        .execute()
      throw error
    }
    // If another request has taken over the key, its answer stays.
    await ctx.db
      .deleteFrom('idempotent_requests')
      .where('account_id', '=', request.accountId)
      .where('key_sha256', '=', keyHash)
      .where('created_at', '=', claimed.at)
      .where('answer', 'is', null)
      .execute()
    throw error
  }
}

type Claimed = { sealed: Buffer } | { effectId: string; at: Date }

/** The sealed answer of an earlier request, or what this one needs to run. */
async function claim(
  ctx: Context,
  request: { accountId: string; endpoint: string },
  keyHash: string,
  bodyHash: Buffer,
): Promise<Claimed> {
  const now = ctx.now()
  const taken = await ctx.db
    .insertInto('idempotent_requests')
    .values({
      account_id: request.accountId,
      key_sha256: keyHash,
      body_sha256: bodyHash,
      answer: null,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'key_sha256'])
        .doUpdateSet({ created_at: now })
        .where('idempotent_requests.body_sha256', '=', bodyHash)
        .where('idempotent_requests.answer', 'is', null)
        .where('idempotent_requests.created_at', '<', new Date(now.getTime() - abandonedAfterMs)),
    )
    .returning('effect_id')
    .executeTakeFirst()
  if (taken) return { effectId: taken.effect_id, at: now }
  const row = await ctx.db
    .selectFrom('idempotent_requests')
    .select(['body_sha256', 'answer'])
    .where('account_id', '=', request.accountId)
    .where('key_sha256', '=', keyHash)
    .executeTakeFirst()
  if (row && !row.body_sha256.equals(bodyHash)) {
    throw new Refusal(
      'idempotency_mismatch',
      'This Idempotency-Key was used with another request. Use a new key for a new request.',
    )
  }
  if (row?.answer) return { sealed: row.answer }
  throw new Refusal('in_flight', 'A request with this Idempotency-Key is still under way.', {
    retryAfterSeconds: 1,
  })
}

function seal(key: string, answer: Answer): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

function open(key: string, sealed: Buffer): Answer {
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
  return JSON.parse(text.toString()) as Answer
}

function deriveKey(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'cutindex', 'idempotent answer', 32))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
