/**
 * Sends what is due. A try counts from its beginning and puts the next one off first: no second
 * worker sends the row meanwhile, and a worker that dies has failed. A message that the mail server
 * refuses for good, or eight times, is dead: an operator looks at it.
 */
import { sql } from 'kysely'
import { mailKinds } from '../../domain/mail-kinds.ts'
import type { Context } from '../ground/context.ts'
import { signArchive } from './signed-archive.ts'
import { findAddress, isMailWanted } from './choices.ts'
import type { MailContent } from './content.ts'
import { renderMail } from './render.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

const minuteMs = 60_000
/** Pauses between tries, longer than a try takes; after the last one the message is dead. */
const pausesMs = [1, 5, 30, 120, 360, 720, 1440].map((minutes) => minutes * minuteMs)
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
const maxInOneRun = 1000

/** The background task. */
export async function deliverDueMail(ctx: Context): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  if (!ctx.config.mail) return counts
  for (let turn = 0; turn < maxInOneRun; turn += 1) {
    const mail = await takeNext(ctx)
    if (!mail) break
    const outcome = await deliver(ctx, mail)
    counts[outcome] = (counts[outcome] ?? 0) + 1
    // The rest waits for the next minute: a mail server that is away is not asked for each of them.
    if (outcome === 'unreachable') break
  }
  return counts
}

type TakenMail = NonNullable<Awaited<ReturnType<typeof takeNext>>>

async function takeNext(ctx: Context) {
  const now = ctx.now()
  return ctx.db
    .updateTable('mails')
    .set({
      tries: sql`tries + 1`,
      next_try_at: sql`${now}::timestamptz
        + (${pausesMs}::float8[])[least(tries, ${pausesMs.length - 1}) + 1] * interval '1 ms'`,
    })
    .where('id', '=', (row) =>
      row
        .selectFrom('mails')
        .select('id')
        .where('outcome', 'is', null)
        .where('next_try_at', '<=', now)
        .orderBy('next_try_at')
        .orderBy('created_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'account_id', 'kind', 'content', 'tries'])
    .executeTakeFirst()
}

async function deliver(
  ctx: Context,
  mail: TakenMail,
): Promise<'sent' | 'unwanted' | 'dead' | 'refused' | 'unreachable'> {
  const address = await findAddress(ctx.db, mail.account_id)
  const isWanted = await isMailWanted(ctx.db, { accountId: mail.account_id, kind: mail.kind })
  if (!address || !isWanted) {
    await end(ctx, mail.id, 'unwanted')
    return 'unwanted'
  }
  try {
    await send(ctx, { ...mail, address })
  } catch (error) {
    const failure = readFailure(error)
    ctx.log.warn({ mailId: mail.id, kind: mail.kind, code: failure.code }, 'mail not sent')
    if (failure.isFinal || mail.tries > pausesMs.length) {
      ctx.log.error({ mailId: mail.id, kind: mail.kind }, 'mail set aside')
      await end(ctx, mail.id, 'dead', failure.text)
      return 'dead'
    }
    await ctx.db
      .updateTable('mails')
      .set({ last_error: failure.text })
      .where('id', '=', mail.id)
      .where('outcome', 'is', null)
      .execute()
    return failure.isUnreachable ? 'unreachable' : 'refused'
  }
  await end(ctx, mail.id, 'sent')
  return 'sent'
}

async function send(ctx: Context, mail: TakenMail & { address: string }): Promise<void> {
  const settings = ctx.config.mail
  if (!settings) throw new Error('No mail server is set.')
  const about = mailKinds.find(({ id }) => id === mail.kind)
  const stop = about && {
    name: about.name,
    url: await unsubscribeUrl(ctx, { accountId: mail.account_id, kind: about.id }),
  }
  const site = ctx.config.publicUrl
  const content = await signLink(ctx, mail.content as MailContent)
  const { subject, text, html } = renderMail(content, { site, unsubscribe: stop })
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: settings.smtpUrl,
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from: settings.from,
      to: { name: '', address: mail.address },
      // The same at each try, so that a message that arrives twice is recognised.
      messageId: `<${mail.id}@${new URL(site).hostname}>`,
      subject,
      text,
      html,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(stop && {
          'List-Unsubscribe': `<${stop.url}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    })
  } finally {
    transport.close()
  }
}

async function signLink(ctx: Context, content: MailContent): Promise<MailContent> {
  const { action } = content
  if (!action?.signs) return content
  const token = await signArchive(ctx, action.signs.archiveId)
  return { ...content, action: { ...action, path: `${action.path}?token=${token}` } }
}

interface Failure {
  code: string
  text: string
  /** The server refuses this message or this address, whenever it comes. */
  isFinal: boolean
  isUnreachable: boolean
}

function readFailure(error: unknown): Failure {
  const { code = 'unknown', responseCode = 0 } = error as { code?: string; responseCode?: number }
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    code: responseCode ? `${code} ${responseCode}` : code,
    text: (error as Error).message.slice(0, 500),
    isFinal: isAboutMessage && responseCode >= 500,
    isUnreachable: !isAboutMessage,
  }
}

async function end(
  ctx: Context,
  id: string,
  outcome: 'sent' | 'unwanted' | 'dead',
  lastError: string | null = null,
): Promise<void> {
  await ctx.db
    .updateTable('mails')
    .set({ outcome, ended_at: ctx.now(), last_error: lastError })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}
