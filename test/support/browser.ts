/**
 * Chromium for the browser tests: one for each test process, which its files share. The visits of a
 * file take pages that others have left. One Chromium for the whole run would need a relay, which
 * took 6 % of their processor time.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { chromiumPath } from '../../scripts/chromium.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--renderer-process-limit=1',
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
  scrollbars?: 'classic'
  /** With a finger instead of a mouse. */
  touch?: boolean
  /** Put into local storage before the first page runs. */
  storage?: Record<string, string>
}

const executablePath = chromiumPath()
/** Without a locale, as in a plain container, Chromium finds no file whose name has an umlaut. */
const env = { ...process.env, LC_ALL: 'C.UTF-8' }

let running: Promise<Browser> | undefined

/** Starts Chromium, or returns the running one, which ends with the process. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await running?.catch(() => undefined)
  if (browser?.isConnected()) return browser
  // Each page hides its own, so that a test can show them.
  const ignoreDefaultArgs = ['--hide-scrollbars']
  running = chromium.launch({ executablePath, args: flags, env, ignoreDefaultArgs })
  return running
}

/** Closes the pages of a file. On a busy machine a page has been seen to live on. */
export async function closeBrowser(browser: Browser | undefined): Promise<void> {
  const stop = new AbortController()
  const late = wait(longestWaitMs, 'late', { signal: stop.signal }).catch(() => 'closed')
  const contexts = browser?.contexts() ?? []
  if (browser) freeSeats.delete(browser)
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
  const { origin } = new URL(url)
  const seat = takeSeat(browser, origin, options) ?? (await openSeat(browser, origin, options))
  const { page, context } = seat
  await showScrollbars(page, options.scrollbars === 'classic')
  await page.setViewportSize({ width: options.width ?? 1280, height: options.height ?? 800 })
  await page.emulateMedia({
    media: null,
    forcedColors: null,
    contrast: null,
    colorScheme: options.theme ?? 'dark',
    reducedMotion: options.motion ? 'no-preference' : 'reduce',
  })
  if (options.storage) await store(seat, url, options.storage)
  const problems: string[] = []
  seat.report = (problem) => problems.push(problem)
  await page.goto(url)
  return { page, context, problems, close: () => leaveSeat(browser, seat) }
}

/** A page that visits use in turn, since opening a new one takes twice the CPU time. */
interface Seat {
  context: BrowserContext
  page: Page
  touch: boolean
  report: (problem: string) => void
  /** Whose pages it shows, and whose storage it empties. */
  origin: string
  /** Something was done to it that cannot be taken back. */
  isWorn: boolean
}

const freeSeats = new WeakMap<Browser, Seat[]>()

function takeSeat(browser: Browser, origin: string, { touch }: VisitOptions): Seat | undefined {
  const free = freeSeats.get(browser) ?? []
  const isAnywhere = origin === 'null'
  const index = free.findIndex(
    (seat) => (isAnywhere || seat.origin === origin) && seat.touch === Boolean(touch),
  )
  return index < 0 ? undefined : free.splice(index, 1)[0]
}

async function openSeat(
  browser: Browser,
  origin: string,
  { touch = false }: VisitOptions,
): Promise<Seat> {
  const context = await browser.newContext({ hasTouch: touch, locale: 'en-US' })
  const page = await context.newPage()
  scrollbars.set(page, await context.newCDPSession(page))
  await showScrollbars(page, false)
  page.setDefaultTimeout(longestWaitMs)
  listensOnceThere(page)
  const seat: Seat = { context, page, touch, report: () => undefined, origin, isWorn: false }
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const { url } = message.location()
    seat.report(url ? `${message.text()} (${url})` : message.text())
  })
  page.on('pageerror', (error) => seat.report(error.message))
  noticeWear(seat)
  return seat
}

const scrollbars = new WeakMap<Page, CDPSession>()

/** Bars that take room, as on Windows and on a Mac with a mouse; else none, as on a phone. */
export async function showScrollbars(page: Page, isShown: boolean): Promise<void> {
  const known = scrollbars.get(page) ?? (await page.context().newCDPSession(page))
  scrollbars.set(page, known)
  await known.send('Emulation.setScrollbarsHidden', { hidden: !isShown })
  // Elements that are laid out follow with its next change of style.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { scrollbar-width: thin !important }')
    document.adoptedStyleSheets.push(sheet)
    void document.documentElement.offsetHeight
    document.adoptedStyleSheets.pop()
  })
}

/** Marks a seat that cannot be cleaned for the next visit: these calls have no counterpart. */
function noticeWear(seat: Seat): void {
  const wear = <Target extends object>(target: Target, ...names: (keyof Target)[]): void => {
    for (const name of names) {
      const act = target[name] as (...words: unknown[]) => unknown
      const worn = (...words: unknown[]): unknown => {
        seat.isWorn = true
        return act.apply(target, words)
      }
      target[name] = worn as Target[keyof Target]
    }
  }
  const { context, page } = seat
  wear(context, 'addInitScript', 'exposeBinding', 'exposeFunction', 'newPage', 'newCDPSession')
  wear(context, 'grantPermissions', 'setOffline', 'setExtraHTTPHeaders', 'on', 'once')
  wear(page, 'addInitScript', 'exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders')
  wear(page, 'on', 'once', 'close', 'setDefaultTimeout')
  wear(page.clock, 'install', 'setFixedTime')
}

/** Leaves a page as a new one would be; one that went elsewhere is closed. */
async function leaveSeat(browser: Browser, seat: Seat): Promise<void> {
  const { context, page, origin } = seat
  seat.report = () => undefined
  const isAlone = !page.isClosed() && context.pages().length === 1
  const isHome = isAlone && new URL(page.url()).origin === origin && origin !== 'null'
  if (seat.isWorn || !isHome) return context.close()
  try {
    await Promise.all([page, context].map((item) => item.unrouteAll({ behavior: 'ignoreErrors' })))
    await page.goto(emptyPage(origin))
    await page.mouse.move(0, 0)
    await context.clearCookies()
    await page.evaluate(forgetAll)
  } catch {
    // Its server has ended before.
    return context.close()
  }
  freeSeats.set(browser, [...(freeSeats.get(browser) ?? []), seat])
}

/** Nothing runs there, and the process that has compiled the scripts of its neighbours stays. */
function emptyPage(origin: string): string {
  return `${origin}/robots.txt`
}

async function forgetAll(): Promise<void> {
  localStorage.clear()
  sessionStorage.clear()
  for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
}

/** Puts something into local storage before the first page runs. */
async function store({ page }: Seat, url: string, values: Record<string, string>): Promise<void> {
  const empty = emptyPage(new URL(url).origin)
  if (page.url() !== empty) await page.goto(empty)
  await page.evaluate((storage) => {
    for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value)
  }, values)
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
