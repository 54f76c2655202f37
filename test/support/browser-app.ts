/** Opens the product and Chromium for the tests of one file. */
import type { Browser } from 'playwright-core'
import { startTestServer } from './app.ts'
import type { TestServer } from './app.ts'
import { closeBrowser, launchBrowser, signedIn, visit } from './browser.ts'
import type { Visit, VisitOptions } from './browser.ts'
import { use } from './use.ts'

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
  const server = use(() => startTestServer(options))
  const browser = use(launchBrowser, closeBrowser)
  return {
    server,
    browser,
    open(path, user, visitOptions = {}) {
      const storage = user ? { storage: signedIn(user) } : {}
      return visit(browser, server.url + path, { ...storage, ...visitOptions })
    },
  }
}
