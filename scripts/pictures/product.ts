/** The whole product for a script that looks at it from outside: started, signed in, with a job. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { freePort } from '../../test/support/app.ts'

const startLimitMs = 180_000
const analysisLimitMs = 600_000

export interface RunningProduct extends AsyncDisposable {
  url: string
}

/** Starts the product with data of its own, or takes the one that runs at the given address. */
export async function openProduct(address?: string): Promise<RunningProduct> {
  if (address) {
    return { url: address.replace(/\/$/, ''), [Symbol.asyncDispose]: async () => undefined }
  }
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'cutindex-product-'))
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../start.ts')], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://localhost:${port}`
  const ended = new Promise((done) => {
    child.once('exit', done)
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
  // A script that is interrupted leaves no product behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)))
  }
  await untilHealthy(url, child).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url, [Symbol.asyncDispose]: stop }
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  const endsAt = Date.now() + startLimitMs
  while (Date.now() < endsAt && child.exitCode === null) {
    const answer = await fetch(`${url}/v1/health`).catch(() => null)
    if (answer?.ok) return
    await wait(250)
  }
  throw new Error('The product did not start.')
}

/** Signs in as a new person through the sandbox's GitHub. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'Continue with GitHub' }).click()
  await page.locator('input[name="email"]').first().fill(`editor.${Date.now()}@example.com`)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL('**/dashboard')
  await page.locator('[data-toast]').first().waitFor({ state: 'detached' })
}

/** Analyses the sample clip from the dashboard and answers with the job's address. */
export async function analyseSample(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Try the sample clip' }).click()
  await page.waitForURL('**/library/*?job=*')
  const { origin, searchParams } = new URL(page.url())
  const pathname = `/jobs/${searchParams.get('job')}`
  const headers = { authorization: `Bearer ${await storedToken(page)}` }
  const endsAt = Date.now() + analysisLimitMs
  while (Date.now() < endsAt) {
    const answer = await fetch(`${origin}/v1${pathname}`, { headers })
    const { job } = (await answer.json()) as { job: { status: string } }
    if (job.status === 'completed') return pathname
    if (job.status === 'failed') break
    await wait(500)
  }
  throw new Error('The sample clip was not analysed.')
}

export async function storedToken(page: Page): Promise<string> {
  return (await page.evaluate(() => localStorage.getItem('token'))) ?? ''
}

/** Buys the POWER package with the sandbox's test card. */
export async function buyPackage(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/profile#billing`)
  await page.getByRole('button', { name: /\$50 .*POWER/ }).click()
  await page.getByRole('button', { name: 'Continue to checkout' }).click()
  await page.getByLabel('Card number').pressSequentially('4242424242424242')
  await page.getByLabel('Expiration date').pressSequentially('1240')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Edda Lind')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await page.getByTestId('countdown').hover()
  await page.getByText('of credits have been added').waitFor({ timeout: 60_000 })
}
