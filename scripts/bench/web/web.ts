/**
 * `npm run bench -- web [ADDRESS] [/route …] [--runs=3]`: Lighthouse's four categories, the largest
 * paint and the layout shift of every screen (the median of the runs), and the size of what a
 * screen loads, each against its budget. The command fails when a budget does not hold. Without an
 * address the product is started for the run; the signed-in screens show a real person with a real
 * job.
 */
import { readFile, readdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { freePort } from '../../../test/support/app.ts'
import { chromiumPath } from '../../chromium.ts'
import { analyseSample, buyPackage, openProduct, signIn } from '../../pictures/product.ts'
import { median } from '../figures.ts'
import { webBudgets } from '../../build/web-budgets.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const budgets = { score: 95, publicScore: 100, paintMs: 1500, shift: 0.05 }
const defaultRuns = 3

interface Route {
  path: string
  kind: 'public' | 'signed-in'
  device: 'desktop' | 'mobile'
}

interface Measured {
  scores: number[]
  paintMs: number
  shift: number
  /** Addresses of what was loaded, in our own files. */
  files: string[]
  /** Audits that cost points, by name. */
  complaints: string[]
}

const distribution = resolve(import.meta.dirname, '../../../dist')
const prerendered = ['/', '/docs/developer', '/docs/editors', '/terms', '/privacy']
const missing = '/no-such-page'
const publicRoutes: readonly Route[] = [
  ...[...prerendered, '/docs/api', missing].map((path) => ({ path, device: 'desktop' as const })),
  ...prerendered.map((path) => ({ path, device: 'mobile' as const })),
].map((route) => ({ ...route, kind: 'public' as const }))

export async function run(args: string[]): Promise<void> {
  const address = args.find((arg) => arg.startsWith('http'))
  const only = args.filter((arg) => arg.startsWith('/'))
  const runs = Number(args.find((arg) => arg.startsWith('--runs='))?.slice(7) ?? defaultRuns)
  await using product = await openProduct(address)
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-bench-web-'))
  const profile = scratch.path
  const port = await freePort()
  // One lasting profile: what is signed in here is signed in for Lighthouse too.
  await using browser = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  })
  const page = browser.pages()[0] ?? (await browser.newPage())
  page.setDefaultTimeout(60_000)
  const failures: string[] = []
  const loaded = new Map<string, string[]>()
  const measureAll = async (routes: readonly Route[]): Promise<void> => {
    for (const route of routes) {
      const measured = await measureRoute({ page, url: product.url, port, route }, runs)
      loaded.set(`${route.device} ${route.path}`, measured.files)
      failures.push(...report(route, measured))
    }
  }
  const isWanted = (path: string): boolean => only.length === 0 || only.includes(path)
  console.log(`route | device | ${categories.join(' | ')} | LCP s | CLS | least to its budget`)
  await measureAll(publicRoutes.filter((route) => isWanted(route.path)))
  const isPublic = (path: string): boolean => publicRoutes.some((route) => route.path === path)
  if (only.length === 0 || !only.every(isPublic)) {
    const routes = await prepareSignedIn(page, product.url)
    await measureAll(routes.filter((route) => isWanted(route.name)))
  }
  failures.push(...(await reportSizes(loaded)))
  if (failures.length > 0) {
    console.log(
      `Budgets that do not hold:\n${failures.map((failure) => `  ${failure}`).join('\n')}`,
    )
    process.exitCode = 1
  } else {
    console.log('Every budget holds.')
  }
}

/** Signs in and makes what the screens show: a finished job, a purchase with its receipt. */
async function prepareSignedIn(page: Page, url: string): Promise<(Route & { name: string })[]> {
  await signIn(page, url)
  const job = await analyseSample(page)
  await buyPackage(page, url)
  const bought = new URL(page.url())
  await page.goto(`${url}/profile#billing`)
  const receipt = await page.locator('a[href^="/receipts/"]').first().getAttribute('href')
  const sections = ['account', 'billing', 'autoreload', 'usage', 'security', 'paymentmethods']
  const addresses: Record<string, string> = {
    '/dashboard': '/dashboard',
    ...Object.fromEntries(sections.map((hash) => [`/profile#${hash}`, `/profile#${hash}`])),
    '/jobs': '/jobs',
    '/library': '/library',
    '/jobs/:id': job,
    '/search': '/search?q=river',
    '/receipts/:id': receipt ?? '/receipts/none',
    '/payment/success': bought.pathname + bought.search,
    '/payment/cancel': '/payment/cancel',
  }
  return Object.entries(addresses).map(([name, path]) => ({
    name,
    path,
    kind: 'signed-in',
    device: 'desktop',
  }))
}

interface Visit {
  page: Page
  url: string
  port: number
  route: Route
}

async function measureRoute(visit: Visit, runs: number): Promise<Measured> {
  const all: Measured[] = []
  for (let index = 0; index < runs; index += 1) all.push(await measureOnce(visit))
  const complaints = new Set(all.flatMap((item) => item.complaints))
  return {
    scores: categories.map((_, index) => median(all.map((item) => item.scores[index] ?? 0))),
    paintMs: median(all.map((item) => item.paintMs)),
    shift: median(all.map((item) => item.shift)),
    files: all[0]?.files ?? [],
    complaints: [...complaints],
  }
}

async function measureOnce({ page, url, port, route }: Visit): Promise<Measured> {
  await emptyCache(page)
  const { default: lighthouse, desktopConfig } = await import('lighthouse')
  const options = {
    port,
    output: 'json',
    logLevel: 'error',
    // The session lives in local storage; the cache is emptied above instead.
    disableStorageReset: route.kind === 'signed-in',
    // A missing page says 404, as it must, and the browser logs that; the rest is measured.
    ...(route.path === missing
      ? { ignoreStatusCode: true, skipAudits: ['http-status-code', 'errors-in-console'] }
      : {}),
  } as const
  const config = route.device === 'desktop' ? desktopConfig : undefined
  const result = await lighthouse(url + route.path, options, config)
  if (!result) throw new Error(`Lighthouse gave no answer for ${route.path}.`)
  const { lhr } = result
  if (lhr.runtimeError) throw new Error(`${route.path}: ${lhr.runtimeError.message}`)
  const shown = new URL(lhr.finalDisplayedUrl ?? url).pathname
  if (shown !== new URL(url + route.path).pathname) {
    throw new Error(`${route.path} led to ${shown}.`)
  }
  const details = lhr.audits['network-requests']?.details as
    | { items?: { url: string }[] }
    | undefined
  return {
    scores: categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100)),
    paintMs: lhr.audits['largest-contentful-paint']?.numericValue ?? Infinity,
    shift: lhr.audits['cumulative-layout-shift']?.numericValue ?? Infinity,
    files: (details?.items ?? []).map((item) => new URL(item.url).pathname),
    complaints: Object.values(lhr.audits)
      .filter((audit) => audit.score !== null && audit.score < 0.9)
      .filter((audit) => ['binary', 'numeric'].includes(audit.scoreDisplayMode))
      .map((audit) => `${audit.title}${audit.displayValue ? ` (${audit.displayValue})` : ''}`),
  }
}

async function emptyCache(page: Page): Promise<void> {
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.detach()
}

/** Prints a route's line and answers with what does not hold. */
function report(route: Route, { scores, paintMs, shift, complaints }: Measured): string[] {
  const path = route.path.split('?')[0]
  const name = `${path} on ${route.device}`
  const failures: string[] = []
  const ratios = scores.map((score, index) => {
    const category = categories[index] ?? ''
    const isFull = route.kind === 'public' && category !== 'performance'
    const wanted = isFull ? budgets.publicScore : budgets.score
    if (score < wanted) failures.push(`${name}: ${category} ${score}, wanted ${wanted}`)
    return score / wanted
  })
  if (route.device === 'desktop' && paintMs > budgets.paintMs) {
    failures.push(`${name}: LCP ${(paintMs / 1000).toFixed(2)} s, wanted ≤ 1.5 s`)
  }
  if (shift > budgets.shift) failures.push(`${name}: CLS ${shift.toFixed(3)}, wanted ≤ 0.05`)
  const figures = [...scores, (paintMs / 1000).toFixed(2), shift.toFixed(3)].join(' | ')
  console.log(`${path} | ${route.device} | ${figures} | ${Math.min(...ratios).toFixed(2)}×`)
  if (failures.length > 0) for (const complaint of complaints) console.log(`  ${complaint}`)
  return failures
}

async function reportSizes(loaded: Map<string, string[]>): Promise<string[]> {
  const failures: string[] = []
  const check = (name: string, kilobytes: number, budget: number): void => {
    const ratio = (kilobytes / budget).toFixed(2)
    console.log(`${name}: ${kilobytes.toFixed(1)} kB of ${budget} kB = ${ratio}×`)
    if (kilobytes > budget) failures.push(`${name}: ${kilobytes.toFixed(1)} kB`)
  }
  const landing = loaded.get('desktop /')
  const dashboard = loaded.get('desktop /dashboard')
  const results = [...loaded].find(([name]) => name.startsWith('desktop /jobs/'))?.[1]
  if (landing) {
    check('scripts of the landing page', await weigh(landing, '.js'), webBudgets.landingScripts)
    const built = await readdir(join(distribution, 'assets'))
    const styles = built.map((name) => `/assets/${name}`)
    check('styles', await weigh(styles, '.css'), webBudgets.styles)
    check('fonts', await weigh(landing, '.woff2'), webBudgets.fonts)
  }
  if (dashboard)
    check('scripts of the dashboard', await weigh(dashboard, '.js'), webBudgets.dashboardScripts)
  const library = loaded.get('desktop /library')
  if (dashboard && library) {
    const own = library.filter((file) => !dashboard.includes(file))
    check('scripts that the library adds', await weigh(own, '.js'), webBudgets.libraryScripts)
  }
  if (dashboard && results) {
    const own = results.filter((file) => !dashboard.includes(file))
    check('scripts that the results add', await weigh(own, '.js'), webBudgets.resultsScripts)
  }
  return failures
}

/** Gzipped kilobytes of the built files with an ending; fonts are compressed already. */
async function weigh(files: readonly string[], ending: string): Promise<number> {
  let bytes = 0
  for (const file of new Set(files.filter((file) => file.endsWith(ending)))) {
    const content = await readFile(join(distribution, file)).catch(() => null)
    if (!content) continue
    bytes += ending === '.woff2' ? content.length : gzipSync(content, { level: 9 }).length
  }
  return bytes / 1000
}
