import { readFile } from 'node:fs/promises'

import test from 'ava'
import type { Page } from 'playwright-core'

import { violations } from '../support/accessibility.ts'
import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { sharedService } from '../support/service.ts'

const inBrowser = await testWithBrowser()

const service = sharedService(test, { TTS_ENGINE: 'light', SPEECH_MAX_CHARACTERS: '200' })
const browser = consoleBrowser(test)

async function downloaded(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

inBrowser.serial('a person types, chooses a voice by its name, hears it and takes it along', async (t) => {
  const { token } = await service.user(t)
  const page = await browser.open(t, `${service.url}/#token=${token}`)
  await page.getByRole('link', { name: 'Voices' }).click()
  await page.getByRole('heading', { level: 1, name: 'Voices' }).waitFor()
  await becomes(t, () => page.locator('#voice option').count(), 12)
  await page.getByLabel('Voice', { exact: true }).selectOption({ label: 'Kavya (female)' })
  await page.getByLabel('What to say').fill('नमस्ते, meeting कल है।')
  await page.getByRole('button', { name: 'Listen' }).click()
  const player = page.locator('audio')
  await player.waitFor()
  await eventually(
    'it has a length',
    async () => Number(await page.evaluate('document.querySelector("audio").duration')) > 0,
  )
  t.deepEqual(await violations(page), [])

  const wav = await downloaded(page, 'Download WAV')
  t.is(wav.name, 'Kavya.wav')
  t.is(wav.bytes.toString('latin1', 0, 4), 'RIFF')
  t.is((await downloaded(page, 'Download MP3')).name, 'Kavya.mp3')

  await page.getByLabel('What to say').fill('a'.repeat(201))
  await page.getByRole('button', { name: 'Listen' }).click()
  t.regex(await page.getByRole('alert').innerText(), /200 characters/)
})

inBrowser.serial('a person says how words are spoken, and is told which line is not understood', async (t) => {
  const { token, api } = await service.user(t)
  const page = await browser.open(t, `${service.url}/#token=${token}`)
  await page.getByRole('link', { name: 'Voices' }).click()
  const words = page.getByLabel('How words are spoken')
  await words.fill('Vaak = वाक्\n\nSQL = sequel')
  await page.getByRole('button', { name: 'Save words' }).click()
  await page.getByText('Saved.').first().waitFor()
  const saved = [
    { word: 'Vaak', spoken: 'वाक्' },
    { word: 'SQL', spoken: 'sequel' },
  ]
  t.deepEqual((await api.get('/pronunciations')).body.pronunciations, saved)
  t.deepEqual(await violations(page), [])

  await page.reload()
  t.is(await words.inputValue(), 'Vaak = वाक्\nSQL = sequel')
  await words.fill('Vaak = वाक्\nnothing')
  await page.getByRole('button', { name: 'Save words' }).click()
  t.regex(await page.getByRole('alert').innerText(), /Line 2/)
  await words.fill('two words = a')
  await page.getByRole('button', { name: 'Save words' }).click()
  await page.getByRole('alert').filter({ hasText: 'not one word' }).waitFor()
  t.deepEqual((await api.get('/pronunciations')).body.pronunciations, saved)
})
