/** The operator's tool: `npm run -s operator -- <verb>`. Answers on stdout, troubles on stderr. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { showAnalytics } from '../analytics/show.ts'
import { createApiKey } from '../api-keys/create.ts'
import { defaultApiKeyExpiryDays } from '../../domain/money/catalogue.ts'
import { fromUsd } from '../../domain/money/money.ts'
import { findAccountByEmail, findOrCreateAccount } from '../sign-in/find-or-create.ts'
import { openOperatorSession } from '../sign-in/session.ts'
import { checkLedger } from '../billing/check.ts'
import { adjust } from '../billing/ledger.ts'
import { ConfigError, readConfig } from '../ground/config.ts'
import { actFor } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import { openDataDirectory } from './data-directory.ts'
import { givenSettings as given } from '../ground/given-settings.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { eraseAccount } from '../privacy/erase.ts'
import { writeAccount } from '../privacy/account-data.ts'
import { compareWithProvider, logDifferences } from '../payments/compare-books.ts'
import { listOpenEvents, replayEvents } from '../payments/events.ts'
import { settleRefundsAndDisputes } from '../payments/settle-refunds-and-disputes.ts'
import { listOpenMail, resendMail } from '../mail/operate.ts'
import { openContext } from './open-context.ts'
import { keepRetention } from '../privacy/retention.ts'

const usage = `usage: npm run -s operator -- <verb>
  session <email>                 print a session token
  key <email>                     print a new API key
  credit <email> <usd> --why "…"  give credit, with the reason that the history shows
  export <email>                  print all that is kept about a person, as JSON
  erase <email>                   erase a person; transactions stay for seven years, nameless
  events                          list payment events that wait or were set aside, with the reason
  events replay [id …]            process them now: those named, or all that were set aside
  mail                            list e-mails that wait after a failure or were set aside
  mail resend [id …]              send them now: those named, or all that were set aside
  settle <payment intent>         bring one payment to what the provider says of it now
  ledger-check [--provider]       recompute all money from its entries, print any difference;
                                  --provider also compares the cash with the provider's balance
  analytics [days]                print page views and events of the last days (30)
  retention                       delete what is past its age, now`

type OperatorVerb = (ctx: Context, args: string[]) => Promise<string | AsyncIterable<string>>

const verbs: Record<string, OperatorVerb> = {
  session: async (ctx, [email]) => openOperatorSession(ctx, await accountOf(ctx, email)),
  key: async (ctx, [email]) => {
    const actor = actFor(await accountOf(ctx, email))
    const expiresInDays = defaultApiKeyExpiryDays
    const body = { name: 'Operator', expiresInDays, mode: 'live' } as const
    return (await createApiKey(ctx, actor, { body }, { effectId: undefined })).apiKey.key
  },
  credit: async (ctx, [email, usd, ...rest]) => {
    const why = rest[0] === '--why' ? rest.slice(1).join(' ').trim() : ''
    if (!usd || !why) throw new UsageError()
    const adjusted = await adjust(ctx.db, {
      accountId: await accountOf(ctx, email),
      amountMicros: fromUsd(usd),
      reason: why,
      reference: crypto.randomUUID(),
      now: ctx.now(),
    })
    return JSON.stringify(adjusted)
  },
  export: async (ctx, [email]) => writeAccount(ctx, await knownAccount(ctx, email)),
  erase: async (ctx, [email]) =>
    JSON.stringify(await eraseAccount(ctx, await knownAccount(ctx, email))),
  events: async (ctx, [action, ...ids]) => {
    if (action === undefined) return JSON.stringify(await listOpenEvents(ctx), null, 2)
    if (action !== 'replay') throw new UsageError()
    const replays = await replayEvents(ctx, ids)
    if (replays.some((replay) => !replay.ok)) process.exitCode = 1
    return JSON.stringify(replays, null, 2)
  },
  mail: async (ctx, [action, ...ids]) => {
    if (action === undefined) return JSON.stringify(await listOpenMail(ctx), null, 2)
    if (action !== 'resend') throw new UsageError()
    return JSON.stringify(await resendMail(ctx, ids))
  },
  settle: async (ctx, [paymentIntentId]) => {
    if (!paymentIntentId?.startsWith('pi_')) throw new UsageError()
    return JSON.stringify({ outcome: await settleRefundsAndDisputes(ctx, paymentIntentId) })
  },
  'ledger-check': async (ctx, [option]) => {
    if (option !== undefined && option !== '--provider') throw new UsageError()
    const check = await checkLedger(ctx.db)
    const provider = option === undefined ? undefined : await compareWithProvider(ctx)
    logDifferences(ctx, provider?.differences ?? [])
    if (!check.ok || provider?.ok === false) process.exitCode = 1
    return JSON.stringify({ ...check, provider }, null, 2)
  },
  analytics: async (ctx, [days = '30']) => {
    if (!/^[1-9]\d{0,3}$/.test(days)) throw new UsageError()
    return showAnalytics(ctx, Number(days))
  },
  retention: async (ctx) => JSON.stringify(await keepRetention(ctx)),
}

class UsageError extends Error {}

async function run(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  const verb = verbs[name]
  if (!verb) throw new UsageError()
  const { environment, release } = await reachDatabase()
  try {
    const ctx = await openContext(readConfig(environment), 'operator')
    try {
      const answer = await verb(ctx, args)
      const texts = typeof answer === 'string' ? [answer] : answer
      await pipeline(Readable.from(texts), process.stdout, { end: false })
      process.stdout.write('\n')
    } finally {
      await ctx.close()
    }
  } finally {
    await release()
  }
}

async function knownAccount(ctx: Context, email: string | undefined): Promise<string> {
  if (!email?.includes('@')) throw new UsageError()
  const account = await findAccountByEmail(ctx, email)
  if (!account) throw new ConfigError(`There is no account ${email}.`)
  return account.id
}

async function accountOf(ctx: Context, email: string | undefined): Promise<string> {
  if (!ctx.config.operatorCreatesAccounts) return knownAccount(ctx, email)
  if (!email?.includes('@')) throw new UsageError()
  const account = await findAccountByEmail(ctx, email)
  if (account) return account.id
  const username = email.split('@')[0] ?? email
  const created = await findOrCreateAccount(ctx, {
    provider: 'github',
    subject: `operator:${email.toLowerCase()}`,
    email,
    emailVerified: true,
    username,
    name: null,
    picture: null,
  })
  return created.id
}

interface Reached {
  environment: Readonly<Record<string, string>>
  /** Stops what was started here. */
  release: () => Promise<void>
}

/** The settings of the running `npm start`, or of a stopped one whose database is started here. */
async function reachDatabase(): Promise<Reached> {
  const dataDir = given.DATA_DIR ?? './data'
  const quiet = { LOG_LEVEL: 'error', ...given }
  const settings = readSettings(dataDir)
  const named = (settings?.GIVEN_SETTINGS ?? '').split(',').filter((name) => name !== '')
  const release = async (): Promise<void> => undefined
  // Settings of another database are none of this one's: of a trial in the same folder, perhaps.
  const isElsewhere = given.DATABASE_URL !== undefined && !named.includes('DATABASE_URL')
  if (isElsewhere) return { environment: quiet, release }
  if (!settings) {
    throw new ConfigError(`There is no data in ${dataDir} yet. Run \`npm start\` first.`)
  }
  const missing = named.filter((name) => !given[name])
  if (missing.length > 0) {
    throw new ConfigError(
      `\`npm start\` was given ${missing.join(', ')}. Run this with the same environment.`,
    )
  }
  // The folder may have been moved, or brought back from a backup.
  const environment = { ...settings, ...quiet, DATA_DIR: resolve(dataDir) }
  const folder = join(dataDir, 'postgres')
  if (given.DATABASE_URL || isDatabaseRunning(folder)) return { environment, release }
  openDataDirectory(dataDir)
  const postgres = await startEmbeddedPostgres({ dir: folder })
  return {
    environment: { ...environment, DATABASE_URL: postgres.url },
    release: () => postgres.stop(),
  }
}

function readSettings(dataDir: string): Record<string, string> | null {
  const file = join(dataDir, 'settings.json')
  if (!existsSync(file)) return null
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
}

/** A database that was killed leaves its file behind, with the number of a process that is gone. */
function isDatabaseRunning(folder: string): boolean {
  try {
    const [pid = ''] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')
    return readFileSync(`/proc/${pid.trim()}/comm`, 'utf8').startsWith('postgres')
  } catch {
    return false
  }
}

try {
  await run()
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${usage}\n`)
  else process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`)
  process.exitCode = 2
}
