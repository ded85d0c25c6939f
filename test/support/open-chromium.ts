import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

import { ensurePackages } from '../../infra/dev/debian-packages.ts'

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

/** Debian's Chromium. Whoever opens it closes it. */
export async function openChromium(more: readonly string[] = []): Promise<Browser> {
  await ensurePackages(wanted)
  return chromium.launch({
    executablePath,
    headless: true,
    args: [...flags, ...more],
    timeout: startWithinMs,
    // whatever is set where the tests run: without letters beyond ASCII it would call what it downloads "download"
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
}

/** Whether it could be opened; it is not started for the question. */
export async function probeChromium(): Promise<void> {
  await ensurePackages(wanted)
  await promisify(execFile)(executablePath, ['--version'])
}
