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
    { method: 'GET', path: '/inbox', handle: () => showInbox(store) },
    { method: 'GET', path: '/inbox/:id', handle: (request) => show(store, request) },
    { method: 'GET', path: '/inbox/:id/html', handle: (request) => showHtml(store, request) },
    { method: 'GET', path: '/test/mails', handle: () => answerJson(200, { mails: list(store) }) },
    {
      method: 'POST',
      path: '/test/smtp',
      handle: ({ body }) => {
        const wanted = JSON.parse(body) as Record<string, unknown>
        if (typeof wanted['fail_next'] === 'number') control.failNext = wanted['fail_next']
        if (typeof wanted['fail_code'] === 'number') control.failCode = wanted['fail_code']
        if (typeof wanted['hang_up_next'] === 'number') control.hangUpNext = wanted['hang_up_next']
        if (typeof wanted['silent_next'] === 'number') control.silentNext = wanted['silent_next']
        return answerJson(200, control)
      },
    },
  ]
}

function list(store: Store<MailTables>) {
  return store
    .rows('mail')
    .toReversed()
    .slice(0, maxListed)
    .map(({ raw, from: _from, to, ...mail }) => ({
      ...mail,
      recipients: to,
      ...readMessage(raw),
    }))
}

function showInbox(store: Store<MailTables>): Answer {
  const mails = list(store)
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

function show(store: Store<MailTables>, { path }: Request): Answer {
  const mail = store.get('mail', path['id'] ?? '')
  if (!mail) return answerText(404, 'No such message.')
  const message = readMessage(mail.raw)
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
function showHtml(store: Store<MailTables>, { path }: Request): Answer {
  const mail = store.get('mail', path['id'] ?? '')
  if (!mail) return answerText(404, 'No such message.')
  const message = readMessage(mail.raw)
  const base = message.html.replace('<head>', '<head><base target="_blank">')
  const answer = answerText(200, base, 'text/html')
  const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
  return { ...answer, headers: { ...answer.headers, 'content-security-policy': policy } }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').slice(0, 16)
}
