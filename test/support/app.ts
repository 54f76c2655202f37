/**
 * The real server on a free port with a fresh database, for journeys. The clock can be moved; the
 * outside world is the sandbox when a test asks for it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '../../contract/api.ts'
import type { ApiClient } from '../../contract/api.ts'
import { createClient } from '../../client/create-client.ts'
import { findOrCreateAccount } from '../../server/sign-in/find-or-create.ts'
import { openOperatorSession } from '../../server/sign-in/session.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/ground/config.ts'
import { openContext } from '../../server/process/open-context.ts'
import type { OpenContext } from '../../server/process/open-context.ts'
import { startTasks } from '../../server/tasks.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { openTestDatabase } from './database.ts'
import { uploadsOf } from '../../server/uploads/state.ts'

export interface TestUser {
  accountId: string
  email: string
  token: string
  client: ApiClient
}

export interface TestServer extends AsyncDisposable {
  url: string
  /** The sandbox's address, where one was asked for. */
  sandboxUrl: string
  ctx: OpenContext
  /** "METHOD /path" of everything that was registered. */
  routes: readonly string[]
  /** Moves the server's clock. */
  clock: { offsetMs: number }
  /** A signed-in account of its own. */
  user(email?: string): Promise<TestUser>
  client(token: string | null): ApiClient
  fetch(path: string, init?: RequestInit & { token?: string }): Promise<Response>
  stop(): Promise<void>
}

export async function startTestServer(options?: {
  environment?: Record<string, string>
  /** Also run background tasks in this process. */
  worker?: boolean
  /** Start the outside world too: payments and sign-in. */
  sandbox?: boolean
  port?: number
}): Promise<TestServer> {
  const database = await openTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'cutindex-server-'))
  const port = options?.port ?? (await freePort())
  const sandbox = options?.sandbox ? await startOutsideWorld(port) : null
  const config = readConfig({
    ...testEnvironment,
    ...sandbox?.environment,
    PORT: String(port),
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    ...options?.environment,
  })
  const clock = { offsetMs: 0 }
  const now = (): Date => new Date(Date.now() + clock.offsetMs)
  const ctx = await openContext(config, options?.worker ? 'worker' : 'api', now)
  // A machine that does much else takes longer over an item than a request waits.
  uploadsOf(ctx).maxFinishWaitMs = 170_000
  const tasks = options?.worker ? await startTasks(ctx) : null
  const routes: string[] = []
  const app = await createApp(ctx, (route) => routes.push(route))
  await app.listen({ host: 'localhost', port })
  const url = config.publicUrl
  let users = 0
  const client = (token: string | null): ApiClient =>
    createClient(api, { base: url, token: () => token })
  const stop = async (): Promise<void> => {
    await app.close()
    await tasks?.stop()
    await ctx.close()
    await database.close()
    await sandbox?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    stop,
    [Symbol.asyncDispose]: stop,
    url,
    sandboxUrl: sandbox?.url ?? '',
    ctx,
    routes,
    clock,
    client,
    async user(email) {
      users += 1
      const address = email ?? `editor${users}@example.com`
      const account = await findOrCreateAccount(ctx, {
        provider: 'github',
        subject: `test:${address}`,
        email: address,
        emailVerified: true,
        username: address.split('@')[0] ?? address,
        name: null,
        picture: null,
      })
      const token = await openOperatorSession(ctx, account.id)
      return { accountId: account.id, email: address, token, client: client(token) }
    },
    fetch(path, init = {}) {
      const headers = new Headers(init.headers)
      if (init.token) headers.set('authorization', `Bearer ${init.token}`)
      return fetch(`${url}${path}`, { redirect: 'manual', ...init, headers })
    },
  }
}

async function startOutsideWorld(
  port: number,
): Promise<{ url: string; environment: Record<string, string>; stop(): Promise<void> }> {
  const publicUrl = `http://localhost:${port}`
  const callback = (provider: string): string[] => [`${publicUrl}/v1/auth/${provider}/callback`]
  const sandbox = await startSandbox({
    port: 0,
    webhook: {
      url: `http://127.0.0.1:${port}/v1/payment/webhook`,
      secret: testEnvironment.STRIPE_WEBHOOK_SECRET,
    },
    stripe: {
      secretKey: testEnvironment.STRIPE_SECRET_KEY,
      publishableKey: testEnvironment.STRIPE_PUBLISHABLE_KEY,
    },
    github: { id: 'github', secret: 'github-secret', redirectUris: callback('github') },
    google: { id: 'google', secret: 'google-secret', redirectUris: callback('google') },
    log: () => undefined,
  })
  return {
    url: sandbox.url,
    stop: () => sandbox.stop(),
    environment: {
      SMTP_URL: sandbox.smtpUrl,
      STRIPE_API_URL: sandbox.url,
      STRIPE_SCRIPT_URL: `${sandbox.url}/stripe.js`,
      GITHUB_URL: `${sandbox.url}/github`,
      GITHUB_API_URL: `${sandbox.url}/github/api`,
      GITHUB_CLIENT_ID: 'github',
      GITHUB_CLIENT_SECRET: 'github-secret',
      GOOGLE_ISSUER: `${sandbox.url}/google`,
      GOOGLE_CLIENT_ID: 'google',
      GOOGLE_CLIENT_SECRET: 'google-secret',
    },
  }
}

/** Keys that no real service would take; a test that needs the sandbox overrides them. */
export const testEnvironment = {
  // Processes that a test starts need not compile what others have compiled.
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compile'),
  LOG_LEVEL: 'silent',
  CHECK_REPLIES: '1',
  FETCH_ALLOW_LOOPBACK: '1',
  // A machine that cannot isolate media tools can still run the tests.
  MEDIA_SANDBOX: 'off',
  STRIPE_SECRET_KEY: 'sk_test_journey',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_journey',
  STRIPE_WEBHOOK_SECRET: 'whsec_journey',
  RATE_PER_SECOND: '10000',
  RATE_BURST: '10000',
}

const firstPort = 11_000
const portsOfProcess = 100
const processes = 200
let handedOut = 0

/**
 * A port that is still free when it is used, a second later perhaps. So it is none that the system
 * hands out by itself (those begin at 32768), and each process of a test run has ports of its own.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < processes; tries += 1) {
    const own = (process.pid % processes) * portsOfProcess + handedOut
    handedOut += 1
    const port = firstPort + (own % (processes * portsOfProcess))
    if (await isFree(port)) return port
  }
  throw new Error('No port is free.')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', () => resolve(false))
  server.listen(port, () => server.close(() => resolve(true)))
  return promise
}
