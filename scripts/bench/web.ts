/**
 * `npm run bench -- web [ADDRESS]`: Lighthouse's four categories for the public routes on desktop,
 * each as a ratio to the budget of 95. Without an address the product is started for the run.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { freePort } from '../../test/server.ts'

const routes = ['/', '/docs/developer', '/terms', '/privacy']
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const budget = 95
const startLimitMs = 120_000

export async function run(args: string[]): Promise<void> {
  const given = args[0]
  const product = given ? null : await startProduct()
  const debugPort = await freePort()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${debugPort}`],
  })
  try {
    console.log(`route | ${categories.join(' | ')} | least to ${budget}`)
    for (const route of routes) {
      const scores = await measure(`${given ?? product?.url}${route}`, debugPort)
      const ratio = Math.min(...scores) / budget
      console.log(`${route} | ${scores.join(' | ')} | ${ratio.toFixed(2)}×`)
    }
  } finally {
    await browser.close()
    await product?.stop()
  }
}

async function measure(url: string, port: number): Promise<number[]> {
  const { default: lighthouse, desktopConfig } = await import('lighthouse')
  const options = { port, output: 'json', logLevel: 'error' } as const
  const result = await lighthouse(url, options, desktopConfig)
  if (!result) throw new Error(`Lighthouse gave no answer for ${url}.`)
  for (const audit of Object.values(result.lhr.audits)) {
    if (audit.score !== null && audit.score < 0.5 && audit.scoreDisplayMode === 'binary') {
      console.log(`  ${new URL(url).pathname}: ${audit.title}`)
    }
  }
  return categories.map((name) => Math.round((result.lhr.categories[name]?.score ?? 0) * 100))
}

async function startProduct(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'cutindex-bench-web-'))
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../start.ts')], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://localhost:${port}`
  await untilHealthy(url, child)
  return {
    url,
    async stop() {
      const ended = new Promise((done) => {
        child.once('exit', done)
      })
      child.kill('SIGTERM')
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  const endsAt = Date.now() + startLimitMs
  while (Date.now() < endsAt && child.exitCode === null) {
    const answer = await fetch(`${url}/v1/health`).catch(() => null)
    if (answer?.ok) return
    await new Promise((done) => {
      setTimeout(done, 250)
    })
  }
  child.kill('SIGTERM')
  throw new Error('The product did not start.')
}
