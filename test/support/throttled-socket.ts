/** A line to a server on this machine that a test can cut. */
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface Line {
  port: number
  /** The next connections break after so many bytes to the server. */
  cutAfterBytes: number[]
  /** Breaks every connection and lets no new one through until `restore`. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

/** To a port of this machine, or to the path of a socket. */
export async function startLine(to: number | string): Promise<Line> {
  let isDown = false
  const sockets = new Set<Socket>()
  const forward = (socket: Socket): void => {
    socket.on('error', () => undefined)
    if (isDown) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    const target = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1')
    target.on('error', () => socket.destroy())
    target.on('drain', () => socket.resume())
    socket.on('close', () => {
      sockets.delete(socket)
      target.destroy()
    })
    let sent = 0
    socket.on('data', (chunk) => {
      sent += chunk.length
      const limit = line.cutAfterBytes[0]
      if (limit !== undefined && sent > limit) {
        line.cutAfterBytes.shift()
        socket.destroy()
      } else if (!target.write(chunk)) socket.pause()
    })
    target.pipe(socket)
  }
  const server = createServer(forward)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const line: Line = {
    port: (server.address() as AddressInfo).port,
    cutAfterBytes: [],
    cut() {
      isDown = true
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isDown = false
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return line
}
