import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import { testWhere } from './test-where.ts'
import type { ConditionalTest } from './test-where.ts'

const executablePath = '/usr/bin/chromium'
const wanted = { name: 'Chromium', packages: ['chromium', 'fonts-noto-core'], programs: ['chromium'] }
/** A machine that runs every test at once starts a browser in its own time. */
const startWithinMs = 100_000
const flags = [
  '--no-sandbox', // as root, in a container, there is no other way; it opens nothing but our own pages
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** For tests that use a browser. It is not started for the question. */
export function testWithBrowser(): Promise<ConditionalTest> {
  return testWhere('what is shown in a browser', async () => {
    await ensurePackages(wanted)
    await promisify(execFile)(executablePath, ['--version'])
  })
}

/** Debian's Chromium. Whoever opens it closes it. */
export async function openChromium(more: readonly string[] = []): Promise<Browser> {
  await ensurePackages(wanted)
  return chromium.launch({
    executablePath,
    headless: true,
    args: [...flags, ...more],
    timeout: startWithinMs,
  })
}
