/** A wrong value of every setting stops `npm start` with a sentence, before anything is started. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { settingNames } from '../server/ground/config.ts'
import { slowUnless } from '../test/support/slow.ts'

const root = resolve(import.meta.dirname, '..')
const limitMs = 10_000

/** A value, or several settings where one alone cannot be wrong. */
const wrong: Record<string, string | Record<string, string>> = {
  HOST: 'http://localhost',
  PORT: 'eighty',
  PUBLIC_URL: 'ftp://example.com',
  ALLOWED_ORIGINS: 'example',
  TRUST_PROXY: 'many',
  DATA_DIR: '/proc/nowhere',
  DATABASE_URL: 'mysql://localhost/cutindex',
  DATABASE_PASSWORD: { DATABASE_PASSWORD: 'x', DATABASE_URL: 'postgres://a:b@localhost/c' },
  DATABASE_CONNECTIONS: '0',
  STORAGE_URL: 'ftp://nowhere',
  S3_ENDPOINT: 'localhost:9000',
  S3_REGION: 'the moon',
  LOG_LEVEL: 'loud',
  STRIPE_SECRET_KEY: 'sk_live_alone',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_alone',
  STRIPE_WEBHOOK_SECRET: 'secret',
  STRIPE_API_URL: 'stripe',
  STRIPE_SCRIPT_URL: 'stripe.js',
  GITHUB_CLIENT_ID: 'alone',
  GITHUB_CLIENT_SECRET: 'alone',
  GITHUB_URL: 'github',
  GITHUB_API_URL: 'github',
  GOOGLE_CLIENT_ID: 'alone',
  GOOGLE_CLIENT_SECRET: 'alone',
  GOOGLE_ISSUER: 'google',
  SMTP_URL: 'mail.example.com',
  MAIL_FROM: 'nobody',
  SELLER_NAME: 'x'.repeat(201),
  SELLER_ADDRESS: 'x'.repeat(501),
  SELLER_TAX_ID: 'x'.repeat(51),
  OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
  METRICS_PORT: '70000',
  METRICS_TOKEN: 'short',
  MAX_UPLOAD_BYTES: '10 GB',
  MAX_MEDIA_SECONDS: '6h',
  ACCOUNT_QUOTA_BYTES: '-1',
  DISK_RESERVE_BYTES: '5%',
  FETCH_ALLOW_LOOPBACK: 'maybe',
  SECRETS_KEY: 'short',
  YT_DLP: '/nowhere/yt-dlp',
  SPEECH_MODEL_DIR: '/nowhere/whisper',
  ONNX_PROVIDER: 'abacus',
  MEDIA_SANDBOX: 'on',
  RATE_PER_SECOND: 'fast',
  RATE_BURST: '0.5',
  SILENT_SECONDS: '0',
  MAX_CONNECTIONS: 'all',
  MAX_CONNECTIONS_PER_ADDRESS: '0',
  SHARE_SECONDS_PER_DAY: '0',
  PREVIEW_SECONDS_PER_DAY: '-1',
  WORKER_JOBS: '0',
  SEGMENT_SECONDS: '0',
  ANALYTICS_URL: 'file:///etc/passwd',
  OPERATOR_CREATES_ACCOUNTS: 'yes',
  CHECK_REPLIES: 'sometimes',
  SANDBOX_PORT: 'eighty',
  SANDBOX_SMTP_PORT: '0',
}

/** Those that once gave no sentence; `npm run test:whole` takes all. */
const short = new Set(['PUBLIC_URL', 'STRIPE_SECRET_KEY', 'ONNX_PROVIDER', 'SMTP_URL'])

test('every setting has a wrong value here', () => {
  const table = readFileSync(join(root, 'docs/OPERATIONS.md'), 'utf8').matchAll(
    /^\| ((?:`[A-Z]\w+`(?:, )?)+) \|/gm,
  )
  const documented = [...table].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
  const all = new Set([...settingNames, ...documented])
  assert.ok(all.has('SANDBOX_PORT'), 'the tables of docs/OPERATIONS.md were read')
  assert.deepEqual(
    [...all].filter((name) => !(name in wrong)),
    [],
  )
  assert.deepEqual(
    Object.keys(wrong).filter((name) => !all.has(name)),
    [],
  )
})

for (const [name, value] of Object.entries(wrong)) {
  test(`a wrong ${name} stops the start with a sentence`, slowUnless(short.has(name)), (t) => {
    const parent = mkdtempSync(join(tmpdir(), 'cutindex-settings-'))
    t.after(() => rmSync(parent, { recursive: true }))
    const dataDir = join(parent, 'data')
    const settings = typeof value === 'string' ? { [name]: value } : value
    const { PATH, HOME } = process.env
    const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compile')
    const start = spawnSync(process.execPath, ['scripts/start.ts'], {
      cwd: root,
      env: { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIR: dataDir, ...settings },
      encoding: 'utf8',
      timeout: limitMs,
      killSignal: 'SIGKILL',
    })
    assert.equal(start.status, 1, `${start.stderr} ${start.signal}`)
    // The three keys of Stripe are needed together.
    const words = name.startsWith('STRIPE_') ? 'STRIPE_\\w+' : name
    assert.match(start.stderr, new RegExp(`^[^\\n]*\\b${words}\\b[^\\n]*\\.\\n$`))
    assert.equal(start.stdout, '')
    assert.equal(existsSync(join(dataDir, 'postgres')), false, 'nothing was started')
  })
}
