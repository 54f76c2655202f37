/**
 * The outside world on one machine: a payment provider and two sign-in providers over HTTP, as
 * the real clients expect them, with pages that a person can click, and a mail server over SMTP.
 */
import { randomUUID } from 'node:crypto'
import { browserRoutes } from './browser.ts'
import { answerPage, banner, html } from './page.ts'
import { serveRoutes } from './http.ts'
import type { Answer, Route } from './http.ts'
import { inboxRoutes } from './mail/inbox.ts'
import type { MailTables } from './mail/inbox.ts'
import { startSmtp } from './mail/smtp.ts'
import type { SmtpControl } from './mail/smtp.ts'
import { githubRoutes } from './sign-in/github.ts'
import { googleRoutes } from './sign-in/google.ts'
import type { Client, SignIn, SignInTables } from './sign-in/grants.ts'
import { drawAvatar } from './sign-in/people.ts'
import { openStore } from './store.ts'
import type { Store } from './store.ts'
import { apiRoutes } from './stripe/api.ts'
import type { ApiControl } from './stripe/api.ts'
import { checkoutPageRoutes } from './stripe/checkout-page.ts'
import { expireOverdueSessions } from './stripe/checkout.ts'
import { startWebhooks } from './stripe/events.ts'
import type { PaymentTables, Provider } from './stripe/objects.ts'
import { testControlRoutes } from './test-controls.ts'

export type SandboxOptions = {
  /** 0 takes any free port. */
  port: number
  /** Port of the mail server; absent: any free port. */
  smtpPort?: number
  /** Absent: nothing survives the process. */
  dataDir?: string
  /** Absent: the address that it listens on. */
  publicUrl?: string
  webhook?: { url: string; secret: string }
  stripe: { secretKey: string; publishableKey: string }
  github: Client
  google: Client
  codeLifeMs?: number
  log?: (line: string) => void
}

export type Sandbox = { url: string; smtpUrl: string; stop(): Promise<void> }

type Tables = PaymentTables & SignInTables & MailTables

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? ((line) => console.error(line))
  const store: Store<Tables> = openStore<Tables>(options.dataDir, isWorthKeeping)
  let listeningUrl = ''
  const publicUrl = (): string => options.publicUrl ?? listeningUrl
  const webhooks = startWebhooks(store, options.webhook)
  const provider: Provider = {
    store: store,
    publicUrl,
    ...options.stripe,
    levers: { refundStatus: 'succeeded', areMovementsLate: false },
    emit: webhooks.emit,
  }
  const signIn: SignIn = {
    store: store,
    publicUrl,
    clients: { github: options.github, google: options.google },
    codeLifeMs: options.codeLifeMs ?? 60_000,
  }
  const control: ApiControl = { delayMs: 0, failNext: 0, breakNext: 0, isRestricted: false }
  const smtpControl: SmtpControl = { failNext: 0, failCode: 451, hangUpNext: 0, silentNext: 0 }
  const smtp = await startSmtp({
    port: options.smtpPort ?? 0,
    control: smtpControl,
    receive(envelope, raw) {
      const id = randomUUID()
      store.put('mail', id, { ...envelope, id, receivedAtMs: Date.now(), raw })
      store.flush()
    },
  })
  const routes: Route[] = [
    ['GET', '/', showHome],
    ...apiRoutes(provider, control),
    ...checkoutPageRoutes(provider),
    ...browserRoutes(),
    ...githubRoutes(signIn),
    ...googleRoutes(signIn),
    ['GET', '/avatars/:id', drawAvatar],
    ...inboxRoutes(store, smtpControl),
    ...testControlRoutes(provider, webhooks, control),
  ]
  const server = serveRoutes(routes, store.flush, log)
  listeningUrl = await server.listen({ port: options.port, host: '127.0.0.1' })
  const sweep = setInterval(() => {
    expireOverdueSessions(provider)
    store.flush()
  }, 30_000)
  return {
    url: listeningUrl,
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    async stop() {
      clearInterval(sweep)
      await smtp.stop()
      await webhooks.stop()
      await server.close()
      store.close()
    },
  }
}

/** Asked once for each row at start. The provider keeps events 30 days and keys 24 hours. */
function isWorthKeeping(table: string, row: unknown): boolean {
  const day = 24 * 3600 * 1000
  const now = Date.now()
  if (table === 'event') return (row as Tables['event']).created * 1000 > now - 30 * day
  if (table === 'stored_answer') return (row as Tables['stored_answer']).createdAtMs > now - day
  if (table === 'mail') return (row as Tables['mail']).receivedAtMs > now - 30 * day
  if (table === 'grant') return (row as Tables['grant']).expiresAtMs > now
  if (table === 'delivery') {
    const delivery = row as Tables['delivery']
    return delivery.status === 'pending' || delivery.createdAtMs > now - day
  }
  if (table === 'token') {
    const { expiresAtMs } = row as Tables['token']
    return expiresAtMs === null || expiresAtMs > now
  }
  return true
}

function showHome(): Answer {
  return answerPage(200, {
    title: 'Sandbox',
    content: html`${banner}
      <main class="card">
        <h1>Sandbox</h1>
        <p>
          This server plays the payment provider, the sign-in providers and the mail server on one
          machine.
        </p>
        <p><a href="/inbox">Read the e-mails that were sent</a></p>
      </main>`,
  })
}
