import ipaddr from 'ipaddr.js'
import type { KeyActor } from '../actor.ts'
import type { Context } from '../process/context.ts'
import { Refusal } from '../refusal.ts'
import { hashApiKey, isWellFormedApiKey } from './key.ts'

const lastUsedStepMs = 60_000

/** One indexed look-up by hash; a key with a wrong checksum does not get that far. */
export async function verifyApiKey(
  ctx: Context,
  key: string,
  address: string,
): Promise<KeyActor | null> {
  if (!isWellFormedApiKey(key)) return null
  const now = ctx.now()
  const row = await ctx.db
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'test_account_id', 'scopes', 'allowed_addresses'])
    .select(['last_used_at', 'last_used_address'])
    .where('key_sha256', '=', hashApiKey(key))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return null
  const from = plainAddress(address)
  if (row.allowed_addresses && !isWithin(from, row.allowed_addresses)) {
    throw new Refusal('forbidden', `This API key may not be used from ${from}.`)
  }
  const isStale = !row.last_used_at || now.getTime() - row.last_used_at.getTime() > lastUsedStepMs
  if (isStale || row.last_used_address !== from) {
    await ctx.db
      .updateTable('api_keys')
      .set({ last_used_at: now, last_used_address: from })
      .where('id', '=', row.id)
      .execute()
  }
  const accountId = row.test_account_id ?? row.account_id
  return { kind: 'key', accountId, keyId: row.id, scopes: row.scopes }
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
