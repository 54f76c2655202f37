/** A sandbox, the real client and a receiver of webhooks, for the sandbox's own tests. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { startSandbox } from './sandbox.ts'
import type { Sandbox, SandboxOptions } from './sandbox.ts'
import { until } from '../test/support/until.ts'

export const secret = 'whsec_test'
export const redirectUri = 'http://localhost:3000/v1/auth/callback'
export const publishableKey = 'pk_test_sandbox'
export const secretKey = 'sk_test_sandbox'

const options: SandboxOptions = {
  port: 0,
  stripe: { secretKey, publishableKey },
  github: { id: 'gh-client', secret: 'gh-secret', redirectUris: [redirectUri] },
  google: { id: 'goo-client', secret: 'goo-secret', redirectUris: [redirectUri] },
}

export function startTestSandbox(more: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return startSandbox({ ...options, ...more })
}

export function connect(sandbox: Pick<Sandbox, 'url'>): Stripe {
  const url = new URL(sandbox.url)
  return new Stripe(secretKey, {
    host: url.hostname,
    port: url.port,
    protocol: 'http',
    maxNetworkRetries: 0,
  })
}

export type Receiver = {
  url: string
  port: number
  /** Events whose signature was right, in order of arrival. */
  events: Stripe.Event[]
  /** Statuses to answer next; 200 when empty. */
  answers: number[]
  until(type: string): Promise<Stripe.Event>
  stop(): Promise<void>
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const stripe = new Stripe('sk_test_unused')
  const events: Stripe.Event[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const header = request.headers['stripe-signature'] ?? ''
      const event = stripe.webhooks.constructEvent(Buffer.concat(chunks), header, secret)
      const status = answers.shift() ?? 200
      if (status === 200) events.push(event)
      response.writeHead(status).end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const taken = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${taken}/webhook`,
    port: taken,
    events,
    answers,
    async until(type) {
      const arrived = await until(
        () => [...events],
        (all) => all.some((event) => event.type === type),
      )
      return arrived.find((event) => event.type === type)!
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export async function control(sandbox: Sandbox, path: string, body: object): Promise<object> {
  const response = await fetch(`${sandbox.url}/test/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as object
}
