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

export type Answer = (message: Omit<Received, 'status'>, response: ServerResponse) => number

export interface Receiver {
  url: string
  /** Verified requests, oldest first. */
  received: Received[]
  unverified: number
  secrets: string[]
  /** How requests are answered; 200 unless told otherwise. */
  answer: Answer
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
      const status = receiver.answer(message, response)
      receiver.received.push({ ...message, status })
      if (!response.writableEnded && !response.destroyed && status > 0) {
        response.writeHead(status).end(`answered ${status}`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    unverified: 0,
    secrets: [],
    answer: () => 200,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
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
