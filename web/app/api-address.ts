/**
 * The API's address by page host: local development uses a local port, the dev and production
 * hosts their own API, any other host the dev API. A page that this project's own server sent is
 * always a known host: the server marks it, and its API is on the same origin.
 */
import { useSyncExternalStore } from 'react'

const localPort = 3000
const productionApi = 'https://api.cutindex.com'
const hosts: Record<string, string> = {
  'cutindex.com': productionApi,
  'www.cutindex.com': productionApi,
  'dev.cutindex.com': 'https://api.dev.cutindex.com',
}
const devApi = 'https://api.dev.cutindex.com'

export function apiAddress(page: {
  hostname: string
  origin: string
  sameOrigin: boolean
}): string {
  if (page.sameOrigin) return page.origin
  if (page.hostname === 'localhost' || page.hostname === '127.0.0.1') {
    return `http://${page.hostname}:${localPort}`
  }
  return hosts[page.hostname] ?? devApi
}

/** The address in use, for examples to copy; the prerendered pages show production's. */
export function useApiAddress(): string {
  return useSyncExternalStore(never, currentApiAddress, () => productionApi)
}

function never(): () => void {
  return () => undefined
}

export function currentApiAddress(): string {
  const { hostname, origin } = location
  const sameOrigin = document.querySelector('meta[name="cutindex-api"][content="same-origin"]')
  return apiAddress({ hostname, origin, sameOrigin: sameOrigin !== null })
}
