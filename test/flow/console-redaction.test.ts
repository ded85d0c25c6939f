import test from 'ava'

import { violations } from '../support/accessibility.ts'
import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { scriptedConsole } from '../support/scripted-console.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const inBrowser = await testWithBrowser()

/** What people choose not to have read, in a real browser. What is heard is scripted: numbers of fifteen digits, as of accounts. */

const scene = scriptedConsole(test)
const browser = consoleBrowser(test)

inBrowser.serial('what somebody chooses not to be read is not in the transcript', async (t) => {
  const { address } = await scene.aPerson(t)
  await scene.addWorker()
  const page = await browser.open(t, address)
  await page.getByText('Options').click()
  const keep = page.getByLabel('Keep what is taken out, for me alone')
  t.false(await keep.isVisible())
  await page.getByLabel('Account numbers').check()
  await keep.waitFor()
  await page.getByLabel('Bleep it in the audio, too').check()
  t.deepEqual(await violations(page), [])
  const content = aScriptedRecording(scriptedSeconds(2))
  const buffer = Buffer.from(content)
  await page.locator('input[type=file]').setInputFiles([{ name: 'call.wav', mimeType: 'audio/wav', buffer }])
  const row = page.locator('.row', { hasText: 'call.wav' })
  await row.getByText('Done').waitFor()
  await row.getByRole('link').click()
  await page.getByText('[account]').first().waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor()
  const lines = page.locator('.line p')
  await becomes(t, async () => (await lines.allInnerTexts()).join(' ').trim(), 'heard [account] heard [account]')
})
