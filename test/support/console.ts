import type { ExecutionContext, TestFn } from 'ava'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { openChromium } from './open-chromium.ts'

/** A browser for all tests of a file; each test has a window of its own, as another person would. */
interface ConsoleBrowser {
  /** Fails the test when the page breaks its own rules or throws. */
  open(t: ExecutionContext, address: string, options?: BrowserContextOptions): Promise<Page>
}

/** Generous: the machine may be busy with all other tests. */
const withinMs = 120_000

export function consoleBrowser(test: TestFn): ConsoleBrowser {
  let browser: Browser | undefined
  test.before(async () => {
    browser = await openChromium()
  })
  test.after.always(() => browser?.close())
  return {
    async open(t, address, options = {}) {
      const context = await browser!.newContext({ viewport: { width: 1100, height: 900 }, ...options })
      t.teardown(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(withinMs)
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) complaints.push(message.text())
      })
      t.teardown(() => {
        if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`)
      })
      await page.goto(address)
      return page
    },
  }
}
