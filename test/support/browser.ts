import type { ExecutionContext } from 'ava'
import type { Browser } from 'playwright-core'

import { openChromium } from './open-chromium.ts'

/** A browser whose microphone plays a WAV file over and over. */
export async function aBrowser(t: ExecutionContext, input: { microphone: string }): Promise<Browser> {
  const browser = await openChromium([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${input.microphone}`,
    '--autoplay-policy=no-user-gesture-required',
  ])
  t.teardown(() => browser.close())
  return browser
}
