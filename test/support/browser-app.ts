/** The product and Chromium for one file of tests: there before the first test, gone after the last. */
import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { startTestServer } from './app.ts'
import type { TestServer } from './app.ts'
import { closeBrowser, launchBrowser, signedIn, visit } from './browser.ts'
import type { Visit, VisitOptions } from './browser.ts'

export interface House {
  server: TestServer
  browser: Browser
  /** A page of the product, for a visitor or for a user. */
  open: (
    path: string,
    user?: { token: string; email: string },
    options?: VisitOptions,
  ) => Promise<Visit>
}

/** To be called where tests are defined; what it gives is there once they run. */
export function useHouse(options?: Parameters<typeof startTestServer>[0]): House {
  const started: { server?: TestServer; browser?: Browser } = {}
  before(async () => {
    started.server = await startTestServer(options)
    started.browser = await launchBrowser()
  })
  after(async () => {
    await closeBrowser(started.browser)
    await started.server?.stop()
  })
  const there = <Part>(part: Part | undefined): Part => {
    if (!part) throw new Error('The house is not open yet.')
    return part
  }
  return {
    get server() {
      return there(started.server)
    },
    get browser() {
      return there(started.browser)
    },
    open(path, user, visitOptions = {}) {
      const { server, browser } = this
      const storage = user ? { storage: signedIn(user) } : {}
      return visit(browser, server.url + path, { ...storage, ...visitOptions })
    },
  }
}
