/** Which addresses users may name: http(s) on the usual ports, and public ones only. */
import ipaddr from 'ipaddr.js'
import type { Config } from './config.ts'

export type PlaceRules = Pick<Config, 'fetchAllowLoopback'>

/** Checks the port, and the address if the host is one. Every redirect is checked here too. */
export function isAllowedPlace(config: PlaceRules, url: URL): boolean {
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '') return false
  const isLiteral = ipaddr.isValid(host)
  const isLocal = isLiteral ? isLoopback(host) : isLocalName(host)
  if (isLocal) return config.fetchAllowLoopback
  if (isLiteral && !isPublicAddress(host)) return false
  return url.port === ''
}

/** Public unicast only; an IPv6 address that carries an IPv4 one is judged by that one. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  const isAssigned = address instanceof ipaddr.IPv4 || address.match(globalUnicast)
  return isAssigned && address.range() === 'unicast' && !isSpecial(address)
}

export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback'
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** The whole IPv6 range that is assigned to anyone. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * Ranges that look public and are not. Most metadata services of clouds are link-local, shared or
 * unique-local addresses, which are no unicast ones here; these are not.
 */
const special = [
  // Azure's platform: its agent's commands and credentials, DNS and DHCP.
  '168.63.129.16/32',
  // Google's APIs as seen from inside its cloud, with the machine's own rights.
  '199.36.153.4/30',
  '199.36.153.8/30',
  // IBM Cloud's service network.
  '161.26.0.0/16',
  '166.8.0.0/14',
  // IPv6 for documentation.
  '3fff::/20',
].map((range) => ipaddr.parseCIDR(range))

function isSpecial(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return special.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
  )
}
