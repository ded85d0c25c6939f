import test from 'ava'

import { violations } from '../support/accessibility.ts'
import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { submit } from '../support/pipeline.ts'
import { scriptedConsole } from '../support/scripted-console.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const inBrowser = await testWithBrowser()

/** The console in the language of whoever reads it. */

const scene = scriptedConsole(test)
const browser = consoleBrowser(test)

inBrowser.serial('the console speaks the first language of the browser that it knows', async (t) => {
  const { address } = await scene.aPerson(t)
  for (const [locale, lang, sentence] of [
    ['hi-IN', 'hi', 'यहाँ अभी कुछ नहीं है'],
    ['en-IN', 'en', 'Nothing here yet'],
    ['ta-IN', 'en', 'Nothing here yet'],
  ] as const) {
    const page = await browser.open(t, address, { locale })
    await page.getByText(sentence).waitFor()
    t.is(await page.locator('html').getAttribute('lang'), lang)
    t.deepEqual(await violations(page), [], locale)
  }
})

inBrowser.serial('another language is chosen in the header, at once and for the next time', async (t) => {
  const { address } = await scene.aPerson(t)
  const page = await browser.open(t, address)
  await page.getByText('Nothing here yet').waitFor()
  await page.getByLabel('Language of this page').selectOption('हिन्दी')
  await page.getByText('यहाँ अभी कुछ नहीं है').waitFor()
  await page.getByRole('link', { name: 'API कुंजियाँ' }).waitFor()
  await becomes(t, () => page.title(), 'रिकॉर्डिंग · Vaak')
  // who chose is still there
  await becomes(t, () => page.evaluate('document.activeElement.id'), 'interface-language')

  const another = await page.context().newPage()
  await another.goto(scene.service.url)
  await another.getByRole('button', { name: 'कंसोल खोलें' }).waitFor()
  await another.getByLabel('इस पेज की भाषा').selectOption('English')
  await another.getByRole('button', { name: 'Open the console' }).waitFor()
})

/** What is wider than the window, or than its place in a row, or, at the end of the page, under the player. */
const outOfSight = `(() => {
  window.scrollTo(0, document.body.scrollHeight)
  const player = document.querySelector('.player')?.getBoundingClientRect().top ?? Infinity
  const last = [...document.querySelectorAll('.segment')].at(-1)?.getBoundingClientRect().bottom ?? 0
  const isWide = document.documentElement.scrollWidth > window.innerWidth
  const isOver = [...document.querySelectorAll('.row > *')].some((part) => part.scrollWidth > part.clientWidth + 1)
  return [isWide && 'wider than the window', last > player && 'under the player', isOver && 'over its neighbour'].filter(Boolean)
})()`

inBrowser.serial('on a phone nothing is cut off and nothing is under the player, in either language', async (t) => {
  const { address, api } = await scene.aPerson(t)
  await scene.addWorker()
  const name = 'a-recording-with-a-very-long-name-of-the-kind-that-telephones-give.wav'
  const content = aScriptedRecording(scriptedSeconds(30))
  const batch = await submit(api, [{ name, content }], {})
  await batch.finished()
  const again = await submit(api, [{ name: 'again.wav', content }], {})
  await again.finished()
  for (const locale of ['en-IN', 'hi-IN']) {
    const nothingIsOutOfSight = () => becomes(t, () => page.evaluate(outOfSight), [])
    const page = await browser.open(t, address, { locale, viewport: { width: 390, height: 800 } })
    await page.locator('.row > .number', { hasText: name }).waitFor()
    await nothingIsOutOfSight()
    await page.evaluate(`location.hash = '#/file/${batch.fileIds[0]}'`)
    await page.locator('.play:enabled').waitFor()
    await nothingIsOutOfSight()
    await page.evaluate(`location.hash = '#/batch/${batch.batchId}'`)
    await page.locator('.batch').waitFor()
    await nothingIsOutOfSight()
    await page.evaluate(`location.hash = '#/access'`)
    await page.locator('.access').waitFor()
    await nothingIsOutOfSight()
  }
})
