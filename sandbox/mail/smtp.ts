/**
 * A mail server that takes whatever is sent to it and keeps it (RFC 5321 without extensions but
 * 8BITMIME and SMTPUTF8). It passes nothing on: the inbox page shows what would have been sent.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export type Envelope = { from: string; to: string[] }

export type SmtpControl = {
  /** Answers so many messages with `failCode` before it takes one again. */
  failNext: number
  failCode: number
  /** Takes so many messages and hangs up before it says so, as a line that breaks. */
  hangUpNext: number
  /** Takes so many messages and says nothing more, until the sender gives up or dies. */
  silentNext: number
}

export type SmtpServer = { port: number; stop(): Promise<void> }

const maxMessageBytes = 10 * 1024 * 1024
const maxLineBytes = 4096

export async function startSmtp(options: {
  port: number
  control: SmtpControl
  receive: (envelope: Envelope, message: string) => void
}): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    talk(socket, options)
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function talk(
  socket: Socket,
  options: { control: SmtpControl; receive: (envelope: Envelope, message: string) => void },
): void {
  const { control } = options
  let envelope: Envelope | undefined
  let isInData = false
  let pending = ''
  const say = (line: string): void => void socket.write(`${line}\r\n`)
  say('220 sandbox ESMTP')
  // Bytes as they are: the message is decoded when somebody looks at it.
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    pending += chunk
    if (pending.length > maxMessageBytes) {
      say('552 Too large.')
      socket.destroySoon()
      return
    }
    while (takeNext());
  })

  /** Handles one command or one whole message; false when more bytes are needed. */
  function takeNext(): boolean {
    if (isInData) return takeMessage()
    const end = pending.indexOf('\r\n')
    if (end === -1) {
      if (pending.length > maxLineBytes) socket.destroy()
      return false
    }
    const line = pending.slice(0, end)
    pending = pending.slice(end + 2)
    command(line)
    return true
  }

  function takeMessage(): boolean {
    // An empty message is its end alone.
    const end = `\r\n${pending}`.indexOf('\r\n.\r\n')
    if (end === -1) return false
    const message = pending.slice(0, end).replace(/^\.\./gm, '.')
    pending = pending.slice(end + 3)
    isInData = false
    finish(message)
    return true
  }

  function finish(message: string): void {
    if (control.failNext > 0) {
      control.failNext -= 1
      say(`${control.failCode} Refused by the test.`)
    } else {
      options.receive(envelope ?? { from: '', to: [] }, message)
      if (control.hangUpNext > 0) {
        control.hangUpNext -= 1
        socket.destroy()
      } else if (control.silentNext > 0) control.silentNext -= 1
      else say('250 Kept in the inbox of the sandbox.')
    }
    envelope = undefined
  }

  function command(line: string): void {
    const [verb = ''] = line.toUpperCase().split(' ')
    const address = /^[^:]*:\s*<([^>]*)>/.exec(line)?.[1]
    if (verb === 'EHLO') say('250-sandbox\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 PIPELINING')
    else if (verb === 'HELO' || verb === 'NOOP') say('250 OK')
    else if (verb === 'RSET') {
      envelope = undefined
      say('250 OK')
    } else if (verb === 'MAIL' && address !== undefined) {
      envelope = { from: address, to: [] }
      say('250 OK')
    } else if (verb === 'RCPT' && address && envelope) {
      envelope.to.push(address)
      say('250 OK')
    } else if (verb === 'DATA' && envelope && envelope.to.length > 0) {
      isInData = true
      say('354 Go ahead.')
    } else if (verb === 'QUIT') {
      say('221 Bye.')
      socket.destroySoon()
    } else if (['MAIL', 'RCPT', 'DATA'].includes(verb)) say('503 Not now.')
    else say('502 Unknown here.')
  }
}
