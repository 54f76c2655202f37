/**
 * One address, one spelling: what makes two references the same. Also the part of the safety rules
 * that the text of an address alone decides; what it resolves to is checked when it is fetched.
 */
import ipaddr from 'ipaddr.js'
import type { Config } from '../process/config.ts'
import { Refusal } from '../refusal.ts'

export interface Address {
  kind: 'youtube' | 'url'
  url: string
  /** What to call it while nobody has named it. */
  name: string
}

type AddressRules = Pick<Config, 'fetchAllowLoopback'>

const youtubeId = /^[\w-]{6,20}$/

export function normaliseAddress(config: AddressRules, text: string): Address {
  const trimmed = text.trim()
  const parsed = URL.canParse(trimmed) ? new URL(trimmed) : null
  if (!parsed || !/^https?:$/.test(parsed.protocol) || trimmed.length > 2000) {
    throw new Refusal('invalid', 'Please enter a full URL that begins with http:// or https://.')
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new Refusal('invalid', 'Please enter a URL without a user name and password in it.')
  }
  parsed.hash = ''
  parsed.hostname = parsed.hostname.replace(/\.$/, '')
  const video = youtubeVideo(parsed)
  if (video) {
    const url = `https://www.youtube.com/watch?v=${video}`
    return { kind: 'youtube', url, name: `YouTube ${video}` }
  }
  if (!isAllowedPlace(config, parsed)) {
    throw new Refusal('invalid', 'Please enter a public address on the usual ports (80 and 443).')
  }
  return { kind: isYoutubeHost(parsed) ? 'youtube' : 'url', url: parsed.href, name: nameOf(parsed) }
}

/** Port, and the address where the host is one. Every redirect passes here too. */
export function isAllowedPlace(config: AddressRules, url: URL): boolean {
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
  return address.range() === 'unicast' && !isSpecial(address)
}

export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback'
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

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
  // IPv4 inside IPv6, and the site-local range that was given up but is still routed.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '::/96',
  'fec0::/10',
  '5f00::/16',
  '3fff::/20',
].map((range) => ipaddr.parseCIDR(range))

function isSpecial(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return special.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
  )
}

function isYoutubeHost(url: URL): boolean {
  return /(?:^|\.)(?:youtube\.com|youtu\.be|youtube-nocookie\.com)$/.test(url.hostname)
}

function youtubeVideo(url: URL): string | null {
  if (!isYoutubeHost(url) || url.port !== '') return null
  const [, first = '', second = ''] = url.pathname.split('/')
  const isShort = url.hostname.endsWith('youtu.be')
  const id = isShort
    ? first
    : ['shorts', 'embed', 'live', 'v'].includes(first)
      ? second
      : url.searchParams.get('v')
  return id && youtubeId.test(id) ? id : null
}

function nameOf(url: URL): string {
  const last = url.pathname.split('/').findLast(Boolean)
  if (!last) return url.hostname
  try {
    return decodeURIComponent(last).slice(0, 255)
  } catch {
    return last.slice(0, 255)
  }
}
