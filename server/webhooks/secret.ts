/**
 * Secrets that sign deliveries. A receiver verifies with the secret itself, so a hash would not do:
 * secrets are sealed with AES-256-GCM under a key that is made from SECRETS_KEY and a salt of this
 * database. Without SECRETS_KEY the salt alone makes the key: that keeps secrets out of logs and
 * partial copies, but not from who holds the whole database.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Context } from '../ground/context.ts'

const prefix = 'whsec_'
const secretBytes = 32

export function newSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`
}

export async function sealSecret(ctx: Context, secret: string): Promise<Buffer> {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await sealingKey(ctx), iv)
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

/** Decrypts a secret; null if it was encrypted with another key. */
export async function openSecret(ctx: Context, sealed: Buffer): Promise<string | null> {
  const decipher = createDecipheriv('aes-256-gcm', await sealingKey(ctx), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString()
  } catch {
    return null
  }
}

const keys = new WeakMap<object, Promise<Buffer>>()

function sealingKey(ctx: Context): Promise<Buffer> {
  const known = keys.get(ctx.pool)
  if (known) return known
  const key = makeKey(ctx)
  keys.set(ctx.pool, key)
  key.catch(() => keys.delete(ctx.pool))
  return key
}

async function makeKey(ctx: Context): Promise<Buffer> {
  await ctx.db
    .insertInto('webhook_salts')
    .values({ name: 'secrets', salt: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { salt } = await ctx.db
    .selectFrom('webhook_salts')
    .select('salt')
    .where('name', '=', 'secrets')
    .executeTakeFirstOrThrow()
  const secret = ctx.config.secretsKey ?? ''
  return Buffer.from(hkdfSync('sha256', secret, salt, 'webhook secrets', 32))
}
