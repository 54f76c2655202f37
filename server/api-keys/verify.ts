import ipaddr from 'ipaddr.js'
import type { KeyActor } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { noPrefetch, prepareCredential } from '../db/prefetch.ts'
import type { Prefetch } from '../db/prefetch.ts'
import { hashApiKey, isWellFormedApiKey } from './key.ts'

const lastUsedStepMs = 60_000

interface KeyRow {
  sought: Buffer
  key_id: string
  owner_id: string
  scopes: KeyActor['scopes']
  allowed_addresses: string[] | null
  last_used_at: Date | null
  last_used_address: string | null
}

const owner = 'coalesce(k.test_account_id, k.account_id)'

const selectKey = prepareCredential<KeyRow>({
  name: 'api_key',
  columns: `k.key_sha256 as sought, k.id as key_id, ${owner} as owner_id, k.scopes,
    k.allowed_addresses, k.last_used_at, k.last_used_address`,
  from: 'api_keys k',
  account: owner,
  expiresAt: 'k.expires_at',
  hash: 'k.key_sha256',
})

/**
 * Finds the key by one indexed look-up of its hash; a key with a wrong checksum is refused before.
 */
export async function verifyApiKey(
  ctx: Context,
  key: string,
  { address, prefetch = noPrefetch }: { address: string; prefetch?: Prefetch },
): Promise<KeyActor | null> {
  if (!isWellFormedApiKey(key)) return null
  const now = ctx.now()
  const rows = await selectKey(ctx.db, { sha256: hashApiKey(key), now, prefetch })
  const [row] = rows
  if (!row) return null
  const from = plainAddress(address)
  if (row.allowed_addresses && !isWithin(from, row.allowed_addresses)) {
    throw new Refusal('forbidden', `This API key may not be used from ${from}.`)
  }
  const isStale = !row.last_used_at || now.getTime() - row.last_used_at.getTime() > lastUsedStepMs
  if (isStale) {
    await ctx.db
      .updateTable('api_keys')
      .set({ last_used_at: now, last_used_address: from })
      .where('id', '=', row.key_id)
      .execute()
  }
  const { owner_id: accountId, key_id: keyId, scopes } = row
  const actor: KeyActor = { kind: 'key', accountId, keyId, scopes }
  prefetch.keep(actor, rows)
  return actor
}

/** IPv4 that arrives inside IPv6 is written as IPv4. */
function plainAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

/** Entries are addresses or CIDR ranges, checked by the contract. */
function isWithin(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const own = ipaddr.process(address)
  return ranges.some((range) => {
    const [base, bits] = parseRange(range)
    return base.kind() === own.kind() && own.match(base, bits)
  })
}

function parseRange(range: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (range.includes('/')) return ipaddr.parseCIDR(range)
  const base = ipaddr.process(range)
  return [base, base.kind() === 'ipv4' ? 32 : 128]
}
