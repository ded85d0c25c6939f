import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import { skipLoudly } from './skip-loudly.ts'

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

/** Debian's Chromium, or undefined where none can run, which is said aloud and fails in CI. Whoever asks closes it. */
export async function chromiumOrSkip(what: string, more: readonly string[] = []): Promise<Browser | undefined> {
  try {
    await ensurePackages(wanted)
    return await chromium.launch({
      executablePath: '/usr/bin/chromium',
      headless: true,
      args: [...flags, ...more],
      timeout: startWithinMs,
    })
  } catch (error) {
    skipLoudly(what, error)
    return undefined
  }
}
