/** The inbox page: every message that the mail server took, newest first, as HTML and as text. */
import { answerJson, answerText } from '../http.ts'
import type { Answer, Request, Route } from '../http.ts'
import { answerPage, banner, html } from '../page.ts'
import type { Store } from '../store.ts'
import { readMessage } from './read-message.ts'
import type { Envelope, SmtpControl } from './smtp.ts'

export type StoredMail = Envelope & {
  id: string
  receivedAtMs: number
  /** One character for each byte. */
  raw: string
}

export type MailTables = { mail: StoredMail }

const maxListed = 200

export function inboxRoutes(store: Store<MailTables>, control: SmtpControl): Route[] {
  return [
    ['GET', '/inbox', () => showInbox(store)],
    ['GET', '/inbox/:id', (request) => show(store, request)],
    ['GET', '/inbox/:id/html', (request) => showHtml(store, request)],
    ['GET', '/test/mails', async () => answerJson(200, { mails: await list(store) })],
    ['POST', '/test/smtp', ({ body }) => setControl(control, body)],
  ]
}

function setControl(control: SmtpControl, body: string): Answer {
  const wanted = JSON.parse(body) as Record<string, number>
  control.failNext = wanted['fail_next'] ?? control.failNext
  control.failCode = wanted['fail_code'] ?? control.failCode
  control.hangUpNext = wanted['hang_up_next'] ?? control.hangUpNext
  control.silentNext = wanted['silent_next'] ?? control.silentNext
  return answerJson(200, control)
}

function list(store: Store<MailTables>) {
  const newest = store.rows('mail').toReversed().slice(0, maxListed)
  return Promise.all(
    newest.map(async ({ raw, from: _from, to: recipients, ...mail }) => ({
      ...mail,
      recipients,
      ...(await readMessage(raw)),
    })),
  )
}

async function showInbox(store: Store<MailTables>): Promise<Answer> {
  const mails = await list(store)
  const items = mails.map(
    (mail) =>
      html`<li>
        <a class="mail" href="/inbox/${mail.id}">
          <strong>${mail.subject}</strong>
          <small>${mail.recipients.join(', ')} · ${timeOf(mail.receivedAtMs)}</small>
        </a>
      </li>`,
  )
  return answerPage(200, {
    title: 'Inbox',
    content: html`${banner}
      <main class="card wide">
        <h1>Inbox</h1>
        ${
          mails.length === 0
            ? html`<p>
                No e-mail yet. Buy credit or create an API key, and its message appears here.
              </p>`
            : html`<ul class="mails">
                ${items}
              </ul>`
        }
      </main>`,
  })
}

async function show(store: Store<MailTables>, { path }: Request): Promise<Answer> {
  const mail = store.get('mail', path['id'] ?? '')
  if (!mail) return answerText(404, 'No such message.')
  const message = await readMessage(mail.raw)
  const headers = message.headers.map(
    ({ name, value }) =>
      html`<dt>${name}</dt>
        <dd>${value}</dd>`,
  )
  return answerPage(200, {
    title: message.subject,
    frames: true,
    content: html`${banner}
      <main class="card wide">
        <p><a href="/inbox">Back to the inbox</a></p>
        <h1>${message.subject}</h1>
        <p>From ${message.from} to ${mail.to.join(', ')}, ${timeOf(mail.receivedAtMs)}</p>
        <iframe
          class="message"
          title="The message as HTML"
          src="/inbox/${mail.id}/html"
          sandbox="allow-popups"
        ></iframe>
        <h2>Plain text</h2>
        <pre>${message.text}</pre>
        <details>
          <summary>Headers</summary>
          <dl>${headers}</dl>
        </details>
      </main>`,
  })
}

/** The message as a mail program would draw it: no script, nothing from elsewhere. */
async function showHtml(store: Store<MailTables>, { path }: Request): Promise<Answer> {
  const mail = store.get('mail', path['id'] ?? '')
  if (!mail) return answerText(404, 'No such message.')
  const message = await readMessage(mail.raw)
  const base = message.html.replace('<head>', '<head><base target="_blank">')
  const answer = answerText(200, base, 'text/html')
  const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
  return { ...answer, headers: { ...answer.headers, 'content-security-policy': policy } }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').slice(0, 16)
}
