/** The inbox of the sandbox, as a test reads it. */
import { deliverDueMail } from '../../server/mail/deliver.ts'
import type { TestServer } from './app.ts'

export interface ReceivedMail {
  id: string
  recipients: string[]
  subject: string
  from: string
  to: string
  text: string
  html: string
  headers: { name: string; value: string }[]
}

/** Every message that arrived for an address, oldest first. */
export async function mailsOf(server: TestServer, email: string): Promise<ReceivedMail[]> {
  const answer = await fetch(`${server.sandboxUrl}/test/mails`)
  const { mails } = (await answer.json()) as { mails: ReceivedMail[] }
  return mails.filter((mail) => mail.recipients.includes(email)).toReversed()
}

/** Sends what is due, then reads the inbox. */
export async function deliveredTo(server: TestServer, email: string): Promise<ReceivedMail[]> {
  await deliverDueMail(server.ctx)
  return mailsOf(server, email)
}

export function headerOf(mail: ReceivedMail | undefined, name: string): string {
  return mail?.headers.find((header) => header.name.toLowerCase() === name)?.value ?? ''
}
