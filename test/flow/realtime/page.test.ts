import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import test from 'ava'
import type { Page } from 'playwright-core'

import { aBrowser } from '../../support/browser.ts'
import { inCheckout } from '../../support/checkout.ts'
import { aFolder } from '../../support/folder.ts'
import { aRealtimeRole } from '../../support/realtime-role.ts'
import { readWav } from '../../support/wav.ts'
import { writeWav } from '../../support/wav-file.ts'

const withinMs = 200_000
const rate = 16_000
const silenceSeconds = 16
/** Takes longer to say than the microphone is silent, so that the next sentence falls into it. */
const longAnswer = 'This is a long answer that goes on and on. '.repeat(9).trim()
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

test('on the page one speaks, hears an answer, interrupts it, and sees a tool called', async (t) => {
  t.timeout(600_000)
  const microphone = await aMicrophone(join(await aFolder(t), 'microphone.wav'))
  const browser = await aBrowser(t, { microphone })
  if (!browser) return t.pass()
  const { url, token } = await aRealtimeRole(t, { REALTIME_ASR_PROFILE: 'fast' })

  const page = await (await browser.newContext({ colorScheme: 'light' })).newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  await page.goto(`${url}/#${token}`)
  t.is(page.url(), `${url}/`, 'the token does not stay in the address')
  t.deepEqual(await violations(page), [])

  await page.getByLabel('Language you speak').selectOption('en')
  await page.getByLabel('Instructions').fill(`Say exactly "${longAnswer}"`)
  await page.getByRole('button', { name: 'Start talking' }).click()
  // the recording says a sentence, then is silent, then says it again while the answer is being spoken
  await page.locator('#transcript li.user span').first().filter({ hasText: /\w{3}/ }).waitFor({ timeout: withinMs })
  await page
    .locator('#transcript li.assistant span')
    .first()
    .filter({ hasText: /\w{3}/ })
    .waitFor({ timeout: withinMs })
  await page.waitForFunction('document.querySelector("#spoken").value > 0', undefined, { timeout: withinMs })
  await page
    .locator('#events li', { hasText: '"reason":"turn_detected"' })
    .first()
    .waitFor({ state: 'attached', timeout: withinMs })

  await page.getByLabel('Or write').fill('Please switch the light on')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('#calls li', { hasText: 'set_light({"state":"on"})' }).waitFor({ timeout: withinMs })
  t.is(await page.locator('#light').textContent(), 'on')

  t.deepEqual(await violations(page), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  t.deepEqual(await violations(page), [])
  const picture = process.env['PAGE_PICTURE']
  if (picture !== undefined) await page.screenshot({ path: picture, fullPage: true })
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Start talking' }).and(page.locator(':enabled')).waitFor()
  t.deepEqual(troubles, [])
})

/** A sentence, some silence, and so on for as long as the browser listens. */
async function aMicrophone(path: string): Promise<string> {
  const speech = await readWav(inCheckout('test', 'fixtures', 'speech', 'english', 'cold-hearted.wav'))
  const samples = new Float32Array(speech.length + silenceSeconds * rate)
  samples.set(speech, rate)
  return writeWav(path, samples)
}

/** What axe, which knows the rules of accessibility, has against the page. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'))
  return page.evaluate(async () => {
    const { axe: judge } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    } // as: it was just loaded
    const { violations: found } = await judge.run()
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}
