import test from 'ava'

import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { submit } from '../support/pipeline.ts'
import { scriptedConsole } from '../support/scripted-console.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import type { ScriptedSecond } from '../support/scripted-speech.ts'

const inBrowser = await testWithBrowser()

/** How a recording is heard beside its transcript. What is heard is scripted, everything else is as in earnest. */

const scene = scriptedConsole(test)
const browser = consoleBrowser(test)

inBrowser.serial(
  'a recording is drawn as it sounds, a click in the drawing goes there, and a sentence is played again and again',
  async (t) => {
    t.timeout(300_000)
    const { address, api } = await scene.aPerson(t)
    await scene.addWorker()
    const seconds = scriptedSeconds(3, 40).flatMap((second): ScriptedSecond[] => [second, 'silence'])
    const batch = await submit(api, [{ name: 'drawn.wav', content: aScriptedRecording(seconds) }], {})
    await batch.finished()
    const page = await browser.open(t, address, { viewport: { width: 1_000, height: 800 } })
    await page.evaluate(`location.hash = '#/file/${batch.fileIds[0]}'`)
    await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor()
    const drawn = page.locator('.waveform')
    // somebody and nobody, and a stripe for each sentence
    await becomes(t, () => drawn.locator('.bars path').count(), 2)
    await becomes(t, () => drawn.locator('.languages rect').count(), 3)

    const { width, height } = (await drawn.boundingBox())!
    await drawn.click({ position: { x: width * 0.6, y: height / 2 } })
    const nowSeconds = async () => Number(await page.getByLabel('Place in the recording').inputValue())
    await eventually('it is at 0.6 of six seconds', async () => Math.abs((await nowSeconds()) - 3.6) < 0.3)
    await eventually(
      'that much is drawn as played',
      async () => Number(await drawn.locator('.played').getAttribute('width')) > 0,
    )

    await page.keyboard.press('l')
    const loop = page.getByRole('button', { name: 'Loop' })
    await becomes(t, () => loop.getAttribute('aria-pressed'), 'true')
    await page.evaluate(`{
      const audio = document.querySelector('audio')
      window.jumpsBack = []
      let last = 0
      audio.addEventListener('timeupdate', () => {
        if (audio.currentTime < last) window.jumpsBack.push(audio.currentTime)
        last = audio.currentTime
      })
    }`)
    const jumpsBack = () => page.evaluate<number[]>('window.jumpsBack')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await eventually('it was played three times', async () => (await jumpsBack()).length >= 2)
    const places = await jumpsBack()
    t.true(
      places.every((at) => at >= 3 && at <= 5.5),
      `it stays there, at ${places.join(', ')}`,
    )
    await loop.click()
    await eventually('it goes on to the end', async () => (await nowSeconds()) > 5.5)
  },
)

inBrowser.serial('who is given a link sees the drawing only where they may listen', async (t) => {
  const { address, api } = await scene.aPerson(t)
  await scene.addWorker()
  const batch = await submit(api, [{ name: 'shared.wav', content: aScriptedRecording(scriptedSeconds(3, 60)) }], {})
  await batch.finished()
  const origin = new URL(address).origin
  for (const audio of [true, false]) {
    const made = await api.post(`/transcribe/results/file/${batch.fileIds[0]}/share_links`, { json: { audio } })
    t.is(made.status, 201)
    const page = await browser.open(t, `${origin}${made.body.path}`)
    await page.locator('.transcript').waitFor()
    await becomes(t, () => page.locator('.waveform').count(), audio ? 1 : 0)
  }
})
