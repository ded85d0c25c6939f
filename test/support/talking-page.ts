import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

import { inCheckout } from './checkout.ts'
import { readWav } from './wav.ts'
import { writeWav } from './wav-file.ts'

const rate = 16_000
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** A sentence, so much silence, and so on for as long as the browser listens. */
export async function aMicrophone(path: string, silenceSeconds: number): Promise<string> {
  const speech = await readWav(inCheckout('test', 'fixtures', 'speech', 'english', 'cold-hearted.wav'))
  const samples = new Float32Array(speech.length + silenceSeconds * rate)
  samples.set(speech, rate)
  return writeWav(path, samples)
}

/** What axe, which knows the rules of accessibility, has against the page. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'))
  return page.evaluate(async () => {
    const { axe: judge } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    } // as: it was just loaded
    const { violations: found } = await judge.run()
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}
