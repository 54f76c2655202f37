/**
 * Chromium for the browser tests: one for each test process, which its files share, and a fresh context
 * for each visit. One for the whole run would need a relay, which took 6 % of their processor time.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromiumPath } from '../../scripts/system-packages.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of a test end before code that is compiled a second time pays off.
  '--js-flags=--no-opt --no-maglev',
]

/** For a machine that does much else; what is as it should be is not waited for. */
const longestWaitMs = 45_000

export interface Visit {
  page: Page
  context: BrowserContext
  /** Errors of the console and of scripts; a test that expects none asserts that it is empty. */
  problems: string[]
  close: () => Promise<void>
}

export interface VisitOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** The answer to "does the visitor want motion?"; tests rarely do. */
  motion?: boolean
  /** With a finger instead of a mouse. */
  touch?: boolean
  /** Put into local storage before the first page runs. */
  storage?: Record<string, string>
}

const executablePath = chromiumPath()

let running: Promise<Browser> | undefined

/** Starts Chromium, or gives the one that runs. It ends with the process, by the pipe that leads to it. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await running?.catch(() => undefined)
  if (browser?.isConnected()) return browser
  running = chromium.launch({ executablePath, args: flags })
  return running
}

/** Closes what a file has opened. On a machine that does much else a page has been seen to live on. */
export async function closeBrowser(browser: Browser | undefined): Promise<void> {
  const stop = new AbortController()
  const late = wait(longestWaitMs, 'late', { signal: stop.signal }).catch(() => 'closed')
  const contexts = browser?.contexts() ?? []
  const closed = Promise.all(contexts.map((context) => context.close())).then(() => 'closed')
  const end = await Promise.race([closed, late])
  stop.abort()
  if (end === 'late') console.error('Chromium did not close its pages in time.')
}

export async function visit(
  browser: Browser,
  url: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.theme ?? 'dark',
    reducedMotion: options.motion ? 'no-preference' : 'reduce',
    hasTouch: options.touch ?? false,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(longestWaitMs)
  listensOnceThere(page)
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  if (options.storage) {
    const origin = new URL(url).origin
    await context.addInitScript(
      ({ origin, storage }) => {
        if (location.origin !== origin || sessionStorage.getItem('storage-set')) return
        sessionStorage.setItem('storage-set', 'yes')
        for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value)
      },
      { origin, storage: options.storage },
    )
  }
  await page.goto(url)
  return { page, context, problems, close: () => context.close() }
}

/**
 * A prerendered page can be seen before its scripts have taken it over, and what is clicked in
 * between is lost. A person is slower than that; a test waits for the mark of `web/app/app.tsx`.
 */
function listensOnceThere(page: Page): void {
  const hydrated = (): Promise<unknown> =>
    page.waitForFunction(() => {
      const app = document.querySelector('#app')
      return !app || app.hasAttribute('data-hydrated')
    })
  const goto = page.goto.bind(page)
  page.goto = async (...address) => {
    const response = await goto(...address)
    await hydrated()
    return response
  }
  const reload = page.reload.bind(page)
  page.reload = async (...options) => {
    const response = await reload(...options)
    await hydrated()
    return response
  }
}

/** The stored session of a signed-in user. */
export function signedIn(user: { token: string; email: string }): Record<string, string> {
  const username = user.email.split('@')[0]
  return { token: user.token, user: JSON.stringify({ email: user.email, username }) }
}

export interface ReportedEvent {
  name: string
  path: string
  details: Record<string, string | number>
}

/** Collects what is reported to analytics, from the first page on. */
export async function recordAnalytics(context: BrowserContext): Promise<ReportedEvent[]> {
  const events: ReportedEvent[] = []
  await context.exposeBinding('keepAnalytics', (_, event: ReportedEvent) => events.push(event))
  await context.addInitScript(() => {
    addEventListener('analytics', (event) => {
      const keep = (window as unknown as { keepAnalytics: (detail: unknown) => void }).keepAnalytics
      keep((event as CustomEvent).detail)
    })
  })
  return events
}
