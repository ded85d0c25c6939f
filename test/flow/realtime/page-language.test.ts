import test from 'ava'

import { violations } from '../../support/accessibility.ts'
import { becomes } from '../../support/becomes.ts'
import { testWithBrowser } from '../../support/chromium.ts'
import { consoleBrowser } from '../../support/console.ts'
import { someVoices } from '../../support/realtime-fakes.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'

/** The page to talk to, in the language of whoever reads it. */

const inBrowser = await testWithBrowser()
const browser = consoleBrowser(test)

/** What a reader of Hindi meets in Latin letters: names, what is typed into a shell, and the other language's own name. */
const namesInLatin = /^(?:Vaak|API|OpenAI|Ollama|LLM_\w+|English|Asha|Ravi|Emma|http|v1|qwen3|npm|start)$/
const latinWords = `Array.from(document.body.innerText.matchAll(/\\b[A-Za-z]\\w*/g), ([word]) => word)`

inBrowser.serial('the page speaks the language of the browser, all of it', async (t) => {
  const { httpUrl } = await aRealtimeServer(t, { speech: { voices: someVoices() } })
  const page = await browser.open(t, `${httpUrl}/#good`, { locale: 'hi-IN' })
  await page.getByRole('heading', { name: 'वाक् से बात करें' }).waitFor()
  await page.getByRole('option', { name: 'Asha (महिला)' }).waitFor({ state: 'attached' })
  t.is(await page.title(), 'वाक् से बात करें')
  t.is(await page.locator('html').getAttribute('lang'), 'hi')
  await becomes(t, () => page.locator('#state').textContent(), 'जुड़ा नहीं है।')
  const words = await page.evaluate<string[]>(latinWords)
  t.deepEqual(
    words.filter((word) => !namesInLatin.test(word)),
    [],
  )
  t.deepEqual(await violations(page), [])
})

inBrowser.serial('another language is there at once, and what was chosen and typed stays', async (t) => {
  const { httpUrl } = await aRealtimeServer(t, { speech: { voices: someVoices() } })
  const page = await browser.open(t, `${httpUrl}/?language=hi#good`, { locale: 'en-IN' })
  await page.getByRole('button', { name: 'बात शुरू करें' }).waitFor()
  t.is(page.url(), `${httpUrl}/`, 'what came along does not stay in the address')
  await page.getByLabel('आवाज़', { exact: true }).first().selectOption('Ravi (पुरुष)')
  await page.getByLabel('निर्देश').fill('एक ही शब्द में जवाब दें।')
  await page.getByLabel('इस पेज की भाषा').selectOption('English')
  await page.getByRole('button', { name: 'Start talking' }).waitFor()
  await becomes(t, () => page.locator('#state').textContent(), 'Not connected.')
  await becomes(t, () => page.locator('#voice option:checked').textContent(), 'Ravi (male)')
  t.is(await page.getByLabel('Instructions').inputValue(), 'एक ही शब्द में जवाब दें।')
  await page.reload()
  await page.getByRole('button', { name: 'Start talking' }).waitFor()
})

inBrowser.serial('on a phone nothing of the page is wider than the window, in either language', async (t) => {
  const { httpUrl } = await aRealtimeServer(t, { speech: { voices: someVoices() } })
  for (const locale of ['en-IN', 'hi-IN']) {
    const page = await browser.open(t, httpUrl, { locale, viewport: { width: 390, height: 800 } })
    await page.getByRole('option', { name: /^Asha/ }).waitFor({ state: 'attached' })
    t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth'), locale)
  }
})
