/**
 * Settings for the services that have no real keys: addresses and keys of the local sandbox, made
 * once and kept with the data, so that a second start finds the same customers and people.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { givenSettings as given } from '../server/ground/given-settings.ts'

export interface SandboxSettings {
  /** At least one service has no keys of its own. */
  isNeeded: boolean
  /** For the product: addresses and keys. */
  product: Record<string, string>
  /** For the sandbox process. */
  own: Record<string, string>
}

export function sandboxSettings(input: {
  dataDir: string
  port: number
  sandboxPort: number
  smtpPort: number
  publicUrl: string
}): SandboxSettings {
  // One of a service's keys beside the sandbox's others would be a mixture that works nowhere.
  const hasStripe = hasSome('STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET')
  const hasGithub = hasSome('GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET')
  const hasGoogle = hasSome('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET')
  const hasMail = Boolean(given.SMTP_URL)
  const secret = secretsOf(input.dataDir)
  const sandboxUrl = `http://localhost:${input.sandboxPort}`
  const publicUrl = input.publicUrl.replace(/\/$/, '')
  const product: Record<string, string> = {}
  if (!hasStripe) {
    Object.assign(product, {
      STRIPE_API_URL: sandboxUrl,
      STRIPE_SCRIPT_URL: `${sandboxUrl}/stripe.js`,
      STRIPE_SECRET_KEY: secret.stripeSecretKey,
      STRIPE_PUBLISHABLE_KEY: secret.stripePublishableKey,
      STRIPE_WEBHOOK_SECRET: secret.webhookSecret,
    })
  }
  if (!hasGithub) {
    Object.assign(product, {
      GITHUB_URL: `${sandboxUrl}/github`,
      GITHUB_API_URL: `${sandboxUrl}/github/api`,
      GITHUB_CLIENT_ID: 'sandbox-github',
      GITHUB_CLIENT_SECRET: secret.githubSecret,
    })
  }
  if (!hasGoogle) {
    Object.assign(product, {
      GOOGLE_ISSUER: `${sandboxUrl}/google`,
      GOOGLE_CLIENT_ID: 'sandbox-google',
      GOOGLE_CLIENT_SECRET: secret.googleSecret,
    })
  }
  if (!hasMail) product.SMTP_URL = `smtp://127.0.0.1:${input.smtpPort}`
  if (!hasGithub && !hasGoogle) product.OPERATOR_CREATES_ACCOUNTS = '1'
  const own = {
    SANDBOX_PORT: String(input.sandboxPort),
    SANDBOX_SMTP_PORT: String(input.smtpPort),
    SANDBOX_PUBLIC_URL: sandboxUrl,
    SANDBOX_DATA_DIR: join(input.dataDir, 'sandbox'),
    SANDBOX_WEBHOOK_URL: `http://localhost:${input.port}/v1/payment/webhook`,
    SANDBOX_WEBHOOK_SECRET: secret.webhookSecret,
    SANDBOX_STRIPE_SECRET_KEY: secret.stripeSecretKey,
    SANDBOX_STRIPE_PUBLISHABLE_KEY: secret.stripePublishableKey,
    SANDBOX_GITHUB_CLIENT_ID: 'sandbox-github',
    SANDBOX_GITHUB_CLIENT_SECRET: secret.githubSecret,
    SANDBOX_GITHUB_REDIRECT_URIS: `${publicUrl}/v1/auth/github/callback`,
    SANDBOX_GOOGLE_CLIENT_ID: 'sandbox-google',
    SANDBOX_GOOGLE_CLIENT_SECRET: secret.googleSecret,
    SANDBOX_GOOGLE_REDIRECT_URIS: `${publicUrl}/v1/auth/google/callback`,
  }
  return { isNeeded: !(hasStripe && hasGithub && hasGoogle && hasMail), product, own }
}

function hasSome(...names: string[]): boolean {
  return names.some((name) => given[name] !== undefined)
}

const ofServices =
  /^(?:STRIPE|GITHUB|GOOGLE|STORAGE|S3|AWS|SMTP|MAIL|SELLER|SECRETS|PUBLIC|DATABASE)_/

/**
 * Settings that lead the operator's tool to the same database and services. Addresses and keys of
 * real ones stay in the environment: only their names are kept, so that the tool can ask for them.
 */
export function saveSettings(
  dataDir: string,
  settings: Record<string, string>,
  environment: Readonly<Record<string, string>> = given,
): void {
  const names = Object.keys(environment).filter((name) => ofServices.test(name))
  const own = Object.entries(settings).filter(([name]) => !names.includes(name))
  const saved = { ...Object.fromEntries(own), GIVEN_SETTINGS: names.join(',') }
  writePrivately(join(dataDir, 'settings.json'), JSON.stringify(saved, null, 2))
}

interface Secrets {
  stripeSecretKey: string
  stripePublishableKey: string
  webhookSecret: string
  githubSecret: string
  googleSecret: string
}

function secretsOf(dataDir: string): Secrets {
  const file = join(dataDir, 'sandbox-secrets.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Secrets
  const random = (): string => randomBytes(24).toString('hex')
  const made: Secrets = {
    stripeSecretKey: `sk_test_${random()}`,
    stripePublishableKey: `pk_test_${random()}`,
    webhookSecret: `whsec_${random()}`,
    githubSecret: random(),
    googleSecret: random(),
  }
  writePrivately(file, JSON.stringify(made, null, 2))
  return made
}

function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
