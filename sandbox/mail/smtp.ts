/** Keeps every message that it receives and passes nothing on: the inbox page shows them. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type Envelope = { from: string; to: string[] }

export type SmtpControl = {
  /** Answers so many messages with `failCode` before it takes one again. */
  failNext: number
  failCode: number
  /** Takes so many messages and hangs up before it says so, as when a connection breaks. */
  hangUpNext: number
  /** Takes so many messages and says nothing more, until the sender gives up or dies. */
  silentNext: number
}

export type MailServer = { port: number; stop(): Promise<void> }

export async function startSmtp(options: {
  port: number
  control: SmtpControl
  receive: (envelope: Envelope, message: string) => void
}): Promise<MailServer> {
  const { control } = options
  const smtp = new SMTPServer({
    size: 10 * 1024 * 1024,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    async onData(stream, session, done) {
      const message = await buffer(stream)
      if (control.failNext > 0) {
        control.failNext -= 1
        const refusal = new Error('Refused by the test.')
        return done(Object.assign(refusal, { responseCode: control.failCode }))
      }
      if (stream.sizeExceeded) return done(Object.assign(new Error(), { responseCode: 552 }))
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address)
      // Bytes as they are: the message is decoded when somebody looks at it.
      const raw = message.toString('latin1')
      options.receive({ from: mailFrom ? mailFrom.address : '', to }, raw)
      if (control.hangUpNext > 0) {
        control.hangUpNext -= 1
        for (const connection of smtp.connections) {
          // oxlint-disable-next-line no-underscore-dangle -- the library offers no other name
          if (connection.session.id === session.id) connection._socket.destroy()
        }
      } else if (control.silentNext > 0) control.silentNext -= 1
      else done(null, 'Kept in the inbox of the sandbox.')
    },
  })
  const server = smtp.listen(options.port, '127.0.0.1')
  smtp.on('error', () => {})
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
}
