/** Serves HTTP on a free port of loopback, as somebody else's machine. */
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HttpServer extends AsyncDisposable {
  url: string
  port: number
  server: Server
  stop: () => Promise<void>
}

export async function startHttp(
  listener: RequestListener = (_request, response) => void response.end(),
  host = '127.0.0.1',
): Promise<HttpServer> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, port, server, stop, [Symbol.asyncDispose]: stop }
}
