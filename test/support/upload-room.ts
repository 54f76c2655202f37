/** The dashboard and its uploads in Chromium, over a connection that tests slow down and break. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { freePort, startTestServer } from './app.ts'
import type { TestServer, TestUser } from './app.ts'
import { closeBrowser, launchBrowser, signedIn, visit } from './browser.ts'
import type { Visit } from './browser.ts'
import { startLine } from './throttled-socket.ts'
import type { Line } from './throttled-socket.ts'

export interface UploadRoom {
  server: TestServer
  browser: Browser
  /** Connection between the browser and the service. */
  line: Line
  openDashboard: (user: TestUser) => Promise<Visit>
  /** Writes a file and returns its path. */
  fileOf: (name: string, bytes: Buffer) => Promise<string>
  stop: () => Promise<void>
}

export async function openUploadRoom(): Promise<UploadRoom> {
  const port = await freePort()
  const line = await startLine(port)
  const server = await startTestServer({
    port,
    environment: { PUBLIC_URL: `http://localhost:${line.port}` },
  })
  const browser = await launchBrowser()
  const folder = await mkdtemp(join(tmpdir(), 'cutindex-browser-'))
  return {
    server,
    browser,
    line,
    openDashboard: (user) => visit(browser, `${server.url}/dashboard`, { storage: signedIn(user) }),
    async fileOf(name, bytes) {
      const path = join(folder, name)
      await writeFile(path, bytes)
      return path
    },
    async stop() {
      await closeBrowser(browser)
      await line.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function library(page: Page): Locator {
  return page.getByRole('region', { name: 'My Content' })
}

export async function openUpload(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Content' }).first().click()
  return page.getByRole('dialog', { name: 'Add Content' })
}

export async function choose(page: Page, path: string | string[]): Promise<Locator> {
  const dialog = await openUpload(page)
  await dialog.locator('input[type=file]').setInputFiles(path)
  return dialog
}

/** Slows the line down, so that an upload can be watched and broken. */
export async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}

export async function waitForShare(page: Page, percent: number): Promise<void> {
  await page.waitForFunction((minPercent) => {
    const shown = /(\d+)%/.exec(document.querySelector('[role=dialog]')?.textContent ?? '')?.[1]
    return Number(shown ?? 0) >= minPercent
  }, percent)
}
