import type { ExecutionContext } from 'ava'
import type { Browser } from 'playwright-core'

import { chromiumOrSkip } from './chromium.ts'

/** A browser whose microphone plays a WAV file over and over, or undefined where none can run. */
export async function aBrowser(t: ExecutionContext, input: { microphone: string }): Promise<Browser | undefined> {
  const browser = await chromiumOrSkip(t.title, [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${input.microphone}`,
    '--autoplay-policy=no-user-gesture-required',
  ])
  if (browser) t.teardown(() => browser.close())
  return browser
}
