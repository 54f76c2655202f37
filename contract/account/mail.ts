/** Which e-mails the service sends, and how somebody without a session stops one kind of them. */
import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { formOf } from '../endpoint.ts'
import { Done } from '../fields.ts'
import { mailKindIds, mailKinds } from '../../domain/mail-kinds.ts'
import type { MailKind } from '../../domain/mail-kinds.ts'

const wanted = Object.fromEntries(mailKinds.map((kind) => [kind.id, z.boolean()])) as Record<
  MailKind,
  z.ZodBoolean
>
export const MailChoices = z.object(wanted).meta({
  id: 'MailChoices',
  description: 'For each kind of e-mail, whether it is sent.',
})
export type MailChoices = z.infer<typeof MailChoices>

const MailToken = z.string().min(1).max(300).meta({ description: 'From the link in an e-mail.' })

const Subscription = z
  .object({ kind: z.enum(mailKindIds), name: z.string(), description: z.string() })
  .extend({ wanted: z.boolean() })
  .meta({ id: 'MailSubscription' })

export const mailEndpoints = defineEndpoints('Accounts', 'anyone', {
  openUnsubscribe: {
    method: 'GET',
    path: '/mail/unsubscribe',
    summary: 'Open the page that stops one kind of e-mail',
    description: 'The link of an e-mail. Nothing changes until the button of the page is pressed.',
    query: z.strictObject({ token: MailToken }),
    rawReply: { contentType: 'text/html', description: 'A redirect to the page.' },
    status: 302,
  },
  unsubscribe: {
    method: 'POST',
    path: '/mail/unsubscribe',
    summary: 'Stop one kind of e-mail with one click (RFC 8058)',
    description:
      'What a mail program sends for the `List-Unsubscribe-Post` header. It needs no session, and the body is not read.',
    query: z.strictObject({ token: MailToken }),
    rawBody: {
      contentType: 'application/x-www-form-urlencoded',
      schema: formOf({ 'List-Unsubscribe': 'Always `One-Click`.' }),
    },
    reply: Done,
    refusals: ['not_found'],
  },
  getMailSubscription: {
    method: 'GET',
    path: '/mail/subscription',
    summary: 'The kind of e-mail that a link is about',
    query: z.strictObject({ token: MailToken }),
    reply: z.object({ subscription: Subscription }),
    refusals: ['not_found'],
  },
  saveMailSubscription: {
    method: 'PUT',
    path: '/mail/subscription',
    summary: 'Stop or resume the kind of e-mail that a link is about',
    body: z.strictObject({ token: MailToken, wanted: z.boolean() }),
    reply: z.object({ subscription: Subscription }),
    refusals: ['not_found'],
    example: { body: { token: 'M2Y5YzJh.c2lnbmF0dXJl', wanted: false } },
  },
})
