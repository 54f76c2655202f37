/**
 * Connections to addresses that users give. Every address that a name resolves to is checked, and
 * the connection goes to the checked ones, so a second answer of the name server changes nothing.
 */
import { lookup } from 'node:dns/promises'
import { Agent } from 'undici'
import { isAllowedPlace, isLoopback, isPublicAddress } from '../ground/allowed-address.ts'

/** Resolves a name to addresses; tests pass in a name server of their own. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>

export interface OutboundRules {
  fetchAllowLoopback: boolean
  /** Tests let a canary answer on any port, so that the address rule is tried by itself. */
  isAllowedPlace?: typeof isAllowedPlace
  resolve?: Resolve
}

const headersTimeoutMs = 10_000
const silenceTimeoutMs = 30_000

/** Null: the address is not one that users may name. */
export async function openAgent(rules: OutboundRules, target: URL): Promise<Agent | null> {
  const isAllowed = rules.isAllowedPlace ?? isAllowedPlace
  if (!isAllowed(rules, target)) return null
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const resolve = rules.resolve ?? ((name) => lookup(name, { all: true, order: 'ipv4first' }))
  const addresses = await resolve(host).catch(() => [])
  const isSafe = ({ address }: { address: string }): boolean =>
    isPublicAddress(address) || (rules.fetchAllowLoopback && isLoopback(address))
  if (addresses.length === 0 || !addresses.every(isSafe)) return null
  return new Agent({
    headersTimeout: headersTimeoutMs,
    bodyTimeout: silenceTimeoutMs,
    maxHeaderSize: 32 * 1024,
    connect: {
      timeout: headersTimeoutMs,
      allowH2: false,
      lookup: (_host, options, callback) => {
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else callback(null, first?.address ?? '', first?.family)
      },
    },
  })
}
