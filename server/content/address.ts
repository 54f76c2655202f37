/**
 * One address, one spelling: what makes two references the same. Also the part of the safety rules
 * that the text of an address alone decides; what it resolves to is checked when it is fetched.
 */
import { isAllowedPlace } from '../ground/allowed-address.ts'
import type { PlaceRules } from '../ground/allowed-address.ts'
import { Refusal } from '../ground/refusal.ts'

export interface Address {
  kind: 'youtube' | 'url'
  url: string
  /** Its name while nobody has given another. */
  name: string
}

const youtubeId = /^[\w-]{6,20}$/

export function normaliseAddress(config: PlaceRules, text: string): Address {
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
