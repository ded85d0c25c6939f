import type { ExecutionContext } from 'ava'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import { skipLoudly } from './skip-loudly.ts'

const wanted = { name: 'Chromium', packages: ['chromium', 'fonts-noto-core'], programs: ['chromium'] }
const executablePath = '/usr/bin/chromium'
const launchWithinMs = 90_000

/** Debian's Chromium whose microphone plays a WAV file over and over, or undefined where none can run: said aloud, a failure in CI. */
export async function aBrowser(t: ExecutionContext, of: { microphone: string }): Promise<Browser | undefined> {
  try {
    await ensurePackages(wanted)
  } catch (error) {
    skipLoudly(t.title, error)
    return undefined
  }
  const browser = await chromium.launch({
    executablePath,
    timeout: launchWithinMs,
    args: [
      '--no-sandbox', // tests may run as root, and the pages are our own
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${of.microphone}`,
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  t.teardown(() => browser.close())
  return browser
}
