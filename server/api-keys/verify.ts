import ipaddr from 'ipaddr.js'
import { accountSql, withAccount } from '../accounts/account.ts'
import type { AccountRow } from '../accounts/account.ts'
import type { KeyActor } from '../actor.ts'
import { grantMonth } from '../billing/grant.ts'
import { prepareTogether } from '../db/prepared.ts'
import type { Context } from '../process/context.ts'
import { Refusal } from '../refusal.ts'
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
const keyColumns = `k.key_sha256 as sought, k.id as key_id, ${owner} as owner_id, k.scopes, k.allowed_addresses,
  k.last_used_at, k.last_used_address`
const accountAlong = accountSql({ account: owner, now: '$1', month: '$2' })

const selectKey = prepareTogether<KeyRow>(
  'api_key',
  `select ${keyColumns} from api_keys k where k.expires_at > $1 and k.key_sha256 = any($2)`,
)
const selectKeyWithAccount = prepareTogether<KeyRow & AccountRow>(
  'api_key_with_account',
  `select ${keyColumns}, account.* from api_keys k
    cross join lateral (${accountAlong}) account
    where k.expires_at > $1 and k.key_sha256 = any($3)`,
)

/**
 * One indexed look-up by hash, with the account's row where that is asked for; a key with a wrong
 * checksum does not get that far.
 */
export async function verifyApiKey(
  ctx: Context,
  key: string,
  { address, showsAccount }: { address: string; showsAccount: boolean },
): Promise<KeyActor | null> {
  if (!isWellFormedApiKey(key)) return null
  const now = ctx.now()
  const sha256 = hashApiKey(key)
  const month = grantMonth(now)
  const [both] = showsAccount
    ? await selectKeyWithAccount(ctx.db, { sought: sha256, values: [now, month], group: month })
    : []
  const row = showsAccount ? both : (await selectKey(ctx.db, { sought: sha256, values: [now] }))[0]
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
  return withAccount({ kind: 'key', accountId, keyId, scopes }, both)
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
