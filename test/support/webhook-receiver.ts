/** A stranger's server that takes webhooks: verifies each with the package's own verifier. */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  id: string
  headers: IncomingHttpHeaders
  /** The raw text that was signed. */
  text: string
  type: string
  data: Record<string, unknown>
  status: number
}

/** A status, at once or after a while; 0 where the response was dealt with, or none is sent. */
export type Answer = (
  message: Omit<Received, 'status'>,
  response: ServerResponse,
) => number | { status: number; afterMs: number }

export interface Receiver extends AsyncDisposable {
  url: string
  /** Verified requests, oldest first. */
  received: Received[]
  unverified: number
  secrets: string[]
  /** How requests are answered; 200 unless set otherwise. */
  answer: Answer
  /** Closes the port: connections are refused until it is up again. */
  down(): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      if (!receiver.secrets.some((secret) => isSigned(secret, text, headers))) {
        receiver.unverified += 1
        response.writeHead(400).end()
        return
      }
      const { type, data } = JSON.parse(text) as Pick<Received, 'type' | 'data'>
      const message = { id: headers['webhook-id'] ?? '', headers, text, type, data }
      const answer = receiver.answer(message, response)
      const { status, afterMs } =
        typeof answer === 'number' ? { status: answer, afterMs: 0 } : answer
      receiver.received.push({ ...message, status })
      const reply = (): void => {
        if (response.writableEnded || response.destroyed || status === 0) return
        response.writeHead(status).end(`answered ${status}`)
      }
      if (afterMs > 0) setTimeout(reply, afterMs)
      else reply()
    })
  })
  const listen = (at: number): Promise<void> =>
    new Promise((resolve) => server.listen(at, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    unverified: 0,
    secrets: [],
    answer: () => 200,
    down: close,
    up: () => listen(port),
    stop: close,
    [Symbol.asyncDispose]: close,
  }
  return receiver
}

function isSigned(secret: string, text: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}
