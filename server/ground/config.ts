/** The only reader of the environment. A wrong setting stops the start with a sentence. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod'
import { contentLimits } from '../../domain/money/catalogue.ts'

const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((value) => value === '1' || value === 'true')

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })

const count = (standard: number): z.ZodDefault<z.ZodCoercedNumber> =>
  z.coerce.number().int().min(1).default(standard)

const Environment = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, 'must be the name or the address of this machine')
    .default('localhost'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  PUBLIC_URL: webAddress.optional(),
  ALLOWED_ORIGINS: z.string().optional(),
  TRUST_PROXY: z
    .preprocess((value) => ({ true: '1', false: '0' })[String(value)] ?? value, z.coerce.number())
    .pipe(z.number().int().min(0).max(10))
    .default(0),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')
    .refine(
      (value) => URL.canParse(value.replace('@/', '@localhost/')),
      'it cannot be read. Give a password with / ? # or @ as DATABASE_PASSWORD',
    )
    .optional(),
  DATABASE_PASSWORD: z.string().optional(),
  DATABASE_CONNECTIONS: count(20),
  STORAGE_URL: z
    .string()
    .regex(/^(file:|s3:\/\/)/, 'must start with file: or s3://')
    .optional(),
  S3_ENDPOINT: webAddress.optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a region')
    .default('us-east-1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),

  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'must be a secret key, sk_…')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_/, 'must be a publishable key, pk_…').optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_').optional(),
  STRIPE_API_URL: webAddress.default('https://api.stripe.com'),
  STRIPE_SCRIPT_URL: webAddress.default('https://js.stripe.com/endive/stripe.js'),

  GITHUB_CLIENT_ID: z.string().min(1).optional(),
  GITHUB_CLIENT_SECRET: z.string().min(1).optional(),
  GITHUB_URL: webAddress.default('https://github.com'),
  GITHUB_API_URL: webAddress.default('https://api.github.com'),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_ISSUER: webAddress.default('https://accounts.google.com'),

  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^\s]+$/, 'must be an smtp:// or smtps:// address')
    .refine((value) => URL.canParse(value), 'must be an address')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{1,200}$/, 'must be one line')
    .regex(/@/, 'must hold an e-mail address')
    .optional(),

  SELLER_NAME: z.string().max(200).default('CutIndex'),
  SELLER_ADDRESS: z.string().max(500).default(''),
  SELLER_TAX_ID: z.string().max(50).default(''),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),

  MAX_UPLOAD_BYTES: count(contentLimits.maxUploadBytes),
  MAX_MEDIA_SECONDS: count(contentLimits.maxMediaSeconds),
  ACCOUNT_QUOTA_BYTES: count(100 * 1024 ** 3),
  SHARE_SECONDS_PER_DAY: count(2 * 3600),
  PREVIEW_SECONDS_PER_DAY: count(30 * 60),
  DISK_RESERVE_BYTES: z.coerce.number().int().min(0).optional(),
  FETCH_ALLOW_LOOPBACK: flag,
  SECRETS_KEY: z.string().min(32, 'must be at least 32 characters').optional(),
  YT_DLP: z.string().optional(),
  SPEECH_MODEL_DIR: z.string().optional(),
  /** The engine reads it by itself; refuse-provider.ts tries it. */
  ONNX_PROVIDER: z.string().optional(),
  MEDIA_SANDBOX: z.enum(['auto', 'off']).default('auto'),
  RATE_PER_SECOND: count(50),
  RATE_BURST: count(300),
  SILENT_SECONDS: count(120),
  MAX_CONNECTIONS: count(10_000),
  MAX_CONNECTIONS_PER_ADDRESS: count(500),
  WORKER_JOBS: count(2),
  SEGMENT_SECONDS: z.coerce.number().min(1).optional(),
  ANALYTICS_URL: webAddress.optional(),
  OPERATOR_CREATES_ACCOUNTS: flag,
  CHECK_REPLIES: flag,
})

/** Settings of an operator; a wrong value of each has a test (scripts/settings.test.ts). */
export const settingNames: readonly string[] = Object.keys(Environment.shape)

export interface Config {
  version: string
  host: string
  port: number
  publicUrl: string
  allowedOrigins: ReadonlySet<string>
  /**
   * How many proxies are in front of the service; the address that the outermost saw is trusted.
   */
  trustProxy: number
  dataDir: string
  databaseUrl: string
  databaseConnections: number
  storageUrl: string
  s3: { endpoint: string | undefined; region: string }
  logLevel: string
  stripe: {
    secretKey: string
    publishableKey: string
    webhookSecret: string
    apiUrl: string
    scriptUrl: string
  }
  github: { clientId: string; clientSecret: string; url: string; apiUrl: string } | null
  google: { clientId: string; clientSecret: string; issuer: string } | null
  /** Null: no e-mail is sent. */
  mail: { smtpUrl: string; from: string } | null
  /** The seller on invoices; `;` or a line break ends a line of the address. */
  seller: { name: string; address: string; tax_id: string }
  /** The collector of OpenTelemetry traces. */
  otlpEndpoint: string | null
  /** Where `/metrics` is served: behind a token at the API's port, or at a port of its own. */
  metrics: { port: number | null; token: string | null }
  limits: {
    maxUploadBytes: number
    maxMediaSeconds: number
    accountQuotaBytes: number
    /** Seconds of shared proxies that may be rendered for an account per day. */
    shareSecondsPerDay: number
    /** How long the clips are whose quick proxies an account gets on a day. */
    previewSecondsPerDay: number
  }
  /** Room on the disk that uploads leave; null is the standard of storage/disk.ts. */
  diskReserveBytes: number | null
  fetchAllowLoopback: boolean
  /** Seals the secrets of webhooks; the same on every machine. Null: the database alone does. */
  secretsKey: string | null
  /** Path of the program that fetches YouTube's videos; null if not installed. */
  ytDlp: string | null
  /** Folder of an ONNX Whisper that replaces the bundled one; null: the bundled one. */
  speechModelDir: string | null
  /** `off` accepts media tools that cannot be isolated. */
  mediaSandbox: 'auto' | 'off'
  rate: { perSecond: number; burst: number }
  /** How long a client may pause in the middle of a request. */
  silentMs: number
  connections: { max: number; maxPerAddress: number }
  workerJobs: number
  /** Length of a film's segments; by default the engine decides. */
  segmentSeconds: number | undefined
  /** The collector that gets page views and events in place of our own counts. */
  analyticsUrl: string | null
  operatorCreatesAccounts: boolean
  /** Tests check every JSON answer against the contract. */
  checkReplies: boolean
}

export class ConfigError extends Error {}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigError(`The setting ${issue?.path.join('.')} is wrong: ${issue?.message}.`)
  }
  const env = parsed.data
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, '')
  const dataDir = resolve(env.DATA_DIR)
  return {
    version: readVersion(),
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    allowedOrigins: originsOf(publicUrl, env.ALLOWED_ORIGINS),
    trustProxy: env.TRUST_PROXY,
    dataDir,
    databaseUrl: withPassword(need('DATABASE_URL', env.DATABASE_URL), env.DATABASE_PASSWORD),
    databaseConnections: env.DATABASE_CONNECTIONS,
    storageUrl: env.STORAGE_URL ?? pathToFileURL(join(dataDir, 'files')).href,
    s3: { endpoint: env.S3_ENDPOINT, region: env.S3_REGION },
    logLevel: env.LOG_LEVEL,
    stripe: {
      secretKey: need('STRIPE_SECRET_KEY', env.STRIPE_SECRET_KEY),
      publishableKey: need('STRIPE_PUBLISHABLE_KEY', env.STRIPE_PUBLISHABLE_KEY),
      webhookSecret: need('STRIPE_WEBHOOK_SECRET', env.STRIPE_WEBHOOK_SECRET),
      apiUrl: env.STRIPE_API_URL,
      scriptUrl: env.STRIPE_SCRIPT_URL,
    },
    github: pair('GITHUB', env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET, {
      url: env.GITHUB_URL,
      apiUrl: env.GITHUB_API_URL,
    }),
    google: pair('GOOGLE', env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET, {
      issuer: env.GOOGLE_ISSUER,
    }),
    mail: env.SMTP_URL
      ? {
          smtpUrl: env.SMTP_URL,
          from: env.MAIL_FROM ?? `CutIndex <no-reply@${new URL(publicUrl).hostname}>`,
        }
      : null,
    seller: {
      name: env.SELLER_NAME,
      address: env.SELLER_ADDRESS.replace(/\s*;\s*/g, '\n'),
      tax_id: env.SELLER_TAX_ID,
    },
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    metrics: { port: env.METRICS_PORT ?? null, token: env.METRICS_TOKEN ?? null },
    limits: {
      maxUploadBytes: env.MAX_UPLOAD_BYTES,
      maxMediaSeconds: env.MAX_MEDIA_SECONDS,
      accountQuotaBytes: env.ACCOUNT_QUOTA_BYTES,
      shareSecondsPerDay: env.SHARE_SECONDS_PER_DAY,
      previewSecondsPerDay: env.PREVIEW_SECONDS_PER_DAY,
    },
    diskReserveBytes: env.DISK_RESERVE_BYTES ?? null,
    fetchAllowLoopback: env.FETCH_ALLOW_LOOPBACK,
    secretsKey: env.SECRETS_KEY ?? null,
    ytDlp: findYtDlp(env.YT_DLP),
    speechModelDir: findModelDir(env.SPEECH_MODEL_DIR),
    mediaSandbox: env.MEDIA_SANDBOX,
    rate: { perSecond: env.RATE_PER_SECOND, burst: env.RATE_BURST },
    silentMs: env.SILENT_SECONDS * 1000,
    connections: { max: env.MAX_CONNECTIONS, maxPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS },
    workerJobs: env.WORKER_JOBS,
    segmentSeconds: env.SEGMENT_SECONDS,
    analyticsUrl: env.ANALYTICS_URL ?? null,
    operatorCreatesAccounts: env.OPERATOR_CREATES_ACCOUNTS,
    checkReplies: env.CHECK_REPLIES,
  }
}

export function readVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

function need(name: string, value: string | undefined): string {
  if (value === undefined) {
    throw new ConfigError(`The setting ${name} is missing. \`npm start\` sets it for one machine.`)
  }
  return value
}

/** Adds the separate password to the address; any of its characters may be special. */
function withPassword(databaseUrl: string, password: string | undefined): string {
  if (password === undefined) return databaseUrl
  const url = new URL(databaseUrl)
  if (url.password) {
    throw new ConfigError('Give the password in DATABASE_URL or as DATABASE_PASSWORD, not twice.')
  }
  url.password = encodeURIComponent(password)
  if (!url.password) throw new ConfigError('DATABASE_PASSWORD needs a host in DATABASE_URL.')
  return url.href
}

function findYtDlp(configured: string | undefined): string | null {
  const places = configured ? [configured] : ['/usr/local/bin/yt-dlp', '/usr/bin/yt-dlp']
  const installed = places.find((place) => existsSync(place))
  if (configured && !installed)
    throw new ConfigError(`The setting YT_DLP names no file: ${configured}.`)
  return installed ?? null
}

function findModelDir(configured: string | undefined): string | null {
  if (configured === undefined) return null
  const folder = resolve(configured)
  if (existsSync(folder)) return folder
  throw new ConfigError(`The setting SPEECH_MODEL_DIR names no folder: ${configured}.`)
}

/** Returns both keys of a provider, or null if neither is set; one alone is a mistake. */
function pair<T extends object>(
  name: string,
  clientId: string | undefined,
  clientSecret: string | undefined,
  rest: T,
): ({ clientId: string; clientSecret: string } & T) | null {
  if (clientId && clientSecret) return { clientId, clientSecret, ...rest }
  if (!clientId && !clientSecret) return null
  throw new ConfigError(`${name}_CLIENT_ID and ${name}_CLIENT_SECRET must be set together.`)
}

function originsOf(publicUrl: string, more: string | undefined): ReadonlySet<string> {
  const all = [publicUrl, ...(more ?? '').split(',')].map((item) => item.trim()).filter(Boolean)
  return new Set(
    all.map((item) => {
      if (!URL.canParse(item)) throw new ConfigError(`ALLOWED_ORIGINS holds no address: ${item}.`)
      return new URL(item).origin
    }),
  )
}
