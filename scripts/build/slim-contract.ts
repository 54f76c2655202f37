/**
 * The browser needs the contract's addresses, not its schemas: answers are checked by the server's
 * tests and typed at build time. This leaves zod and every schema out of the web, a fifth of what
 * the signed-in screens would load.
 */
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

const table = resolve(import.meta.dirname, '../../contract/api.ts')

export function slimContract(): Plugin {
  return {
    name: 'cutindex-slim-contract',
    apply: 'build',
    load: (id) => (id === table ? `export const api = ${JSON.stringify(addresses())}` : null),
  }
}

/** Fields of an endpoint that `createClient` and `addressOf` read. */
function addresses(): Record<string, object> {
  const entries = Object.entries<Endpoint>(api).map(([name, endpoint]) => [
    name,
    {
      method: endpoint.method,
      path: endpoint.path,
      auth: endpoint.auth === 'anyone' ? 'anyone' : undefined,
      creates: endpoint.creates,
      cookies: endpoint.cookies,
      reply: endpoint.reply === undefined ? undefined : 1,
    },
  ])
  return Object.fromEntries(entries)
}
