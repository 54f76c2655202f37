/**
 * Answers of the service that a real one gives only on a bad day, for tests of what a screen says.
 * The bodies have the contract's shape, so that a screen cannot tell them from real ones.
 */
import type { BrowserContext, Locator, Page, Request } from 'playwright-core'
import type { Api } from '../../contract/api.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { shownOptions } from '../../domain/job-options.ts'

type Job = Reply<Api['getJob']>['job']
type Transaction = Reply<Api['listBillingHistory']>['transactions'][number]
type ContentItem = Reply<Api['listContent']>['content'][number]
type PaymentMethod = Reply<Api['listPaymentMethods']>['paymentMethods'][number]

/** Answers every request of one method under a path; the latest answer counts. */
export async function answer(
  context: BrowserContext,
  call: string,
  reply: { status?: number; json?: unknown; body?: string } | 'no answer',
): Promise<void> {
  const [method = '', path = ''] = call.split(' ')
  await context.route(
    (url) => url.pathname === `/v1${path}`,
    async (route) => {
      if (route.request().method() !== method) return route.fallback()
      if (reply === 'no answer') return route.abort()
      return route.fulfill({ status: 200, ...reply })
    },
  )
}

/** Waits for a toast whose words are these to the letter; it may be gone a moment later. */
export async function expectToast(
  page: Page,
  toast: { type: string; message: string; title?: string },
): Promise<void> {
  const cards = page
    .locator(`[data-toast=${toast.type}]`)
    .filter({ has: page.getByText(toast.message, { exact: true }) })
  const title = page.locator('p:first-of-type').getByText(toast.title ?? '', { exact: true })
  await (toast.title ? cards.filter({ has: title }) : cards).last().waitFor()
}

/** Collects "METHOD /path?query" of every call to the service. */
export function recordCalls(page: Page): { calls: string[]; requests: Request[] } {
  const calls: string[] = []
  const requests: Request[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    // Counts of page views come along whenever the page has time for them.
    if (!pathname.startsWith('/v1/') || pathname === '/v1/analytics') return
    calls.push(`${request.method()} ${pathname.slice(3)}${search}`)
    requests.push(request)
  })
  return { calls, requests }
}

/** Stops the page's clock; from here it moves only by `page.clock.runFor`. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

/** How far one step of `runUntilThere` moves the clock, and how late that can be in all. */
const stepMs = 10
export const toleranceMs = 5 * stepMs
const pollMs = 20
const settleMs = 200

/** Moves a stopped clock in small steps until something has appeared. */
export async function runUntilThere(page: Page, wanted: Locator): Promise<void> {
  for (let step = 0; step < 400; step += 1) {
    if ((await wanted.count()) > 0) {
      await settle(page)
      return
    }
    await page.clock.runFor(stepMs)
    await pause(pollMs)
  }
  throw new Error(`${wanted.toString()} did not appear.`)
}

/** Lets the page's tasks run: a drawn element may not have started its timers yet. */
export async function settle(page: Page): Promise<void> {
  await pause(settleMs)
  await page.evaluate(async () => {
    for (let task = 0; task < 10; task += 1) {
      const { port1, port2 } = new MessageChannel()
      await new Promise((resolve) => {
        port1.addEventListener('message', resolve)
        port1.start()
        port2.postMessage(null)
      })
    }
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

const moment = '2026-03-04T10:20:30.000Z'

export function jobOf(number: number, status: string): Job {
  return {
    id: idOf(number),
    status: status as Job['status'],
    content_url: 'https://example.com/clip.mov',
    created_at: moment,
    workflow: 'ffprobe,shots',
    content_id: null,
    content_name: `clip ${number}.mov`,
    progress: 0.5,
    extractors: [],
    partial: false,
    error: null,
    held_usd: 1,
    cost_usd: 0.5,
    price_version: '2025-10-22',
    media: null,
    ...shownOptions({}),
    seconds: null,
    retry_of: null,
    started_at: null,
    finished_at: null,
  }
}

export function transactionOf(number: number, change: Partial<Transaction> = {}): Transaction {
  return {
    id: idOf(number),
    description: `Transaction ${number}`,
    amount_usd: 10,
    created_at: moment,
    metadata: '{}',
    credit_package_bonus_percentage: 0,
    job_id: null,
    kind: 'purchase',
    ...change,
  }
}

export function contentOf(number: number, type: ContentItem['content_type']): ContentItem {
  return {
    id: idOf(number),
    file_name: `${type} ${number}`,
    canonical_url: `https://example.com/${number}`,
    content_type: type,
    file_size: 1536,
    created_at: moment,
    last_used_at: moment,
    media: null,
    mime_type: null,
    check: { state: 'ready', message: null },
    project_id: null,
    bin_id: null,
    rating: 0,
    keywords: [],
    analysis: [],
    thumbnail_url: null,
  }
}

export function cardOf(number: number, change: Partial<PaymentMethod> = {}): PaymentMethod {
  return {
    id: idOf(number),
    card_brand: 'visa',
    card_last4: String(4240 + number),
    card_exp_month: 7,
    card_exp_year: 2031,
    is_default: false,
    ...change,
  }
}

export function idOf(number: number): string {
  return `${String(number).repeat(8)}-0000-4000-8000-000000000000`
}
