import test from 'ava'

import { violations } from '../support/accessibility.ts'
import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { scriptedConsole } from '../support/scripted-console.ts'
import { submit } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

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

inBrowser.serial(
  'what was taken out is shown to its owner who asks for it, and in nothing that leaves the page',
  async (t) => {
    const { api, address } = await scene.aPerson(t)
    const other = await scene.aPerson(t)
    await scene.addWorker()
    const content = aScriptedRecording(scriptedSeconds(2, 700))
    const [first = ''] = textsOf(content).map((text) => text.replace('heard ', ''))
    const batch = await submit(api, [{ name: 'call.wav', content }], { redact: ['account'], keep_unredacted: true })
    await batch.finished()
    const path = `/transcribe/results/file/${batch.fileIds[0]}`
    t.is((await api.get(path)).body.unredacted_kept, true)
    const place = `#/file/${batch.fileIds[0]}`
    const page = await browser.open(t, address)
    await page.locator('.row').waitFor()
    await page.evaluate(`location.hash = '${place}'`)
    const [box, said] = [page.getByLabel('Show what was taken out'), page.getByText(first)]
    await page.getByText('[account]').first().waitFor()
    t.is(await said.count(), 0, 'nobody has asked for it')
    await box.check()
    await said.waitFor()
    await page.getByText('You alone see it').waitFor()
    t.is(await page.locator('.transcript-place').isVisible(), false)
    t.deepEqual(await violations(page), [])
    await page.getByLabel('Search in the transcript').fill(first)
    await page.getByText('not found').waitFor()
    await box.uncheck()
    await page.getByText('[account]').first().waitFor()
    t.false((await page.content()).includes(first), 'nothing of it is left on the page')

    const { body: made } = await api.post(`${path}/share_links`, { json: {} })
    const shared = await browser.open(t, `${scene.service.url}/shared#${made.link}`)
    await shared.getByText('[account]').first().waitFor()
    t.is(await shared.getByLabel('Show what was taken out').count(), 0)
    t.false(JSON.stringify((await api.as(made.link).get('/shared/result')).body).includes('unredacted'))
    t.is((await api.as(made.link).get(`${path}/unredacted`)).status, 401)
    t.is((await other.api.get(`${path}/unredacted`)).status, 404)

    const unkept = await submit(api, [{ name: 'other.wav', content }], { redact: ['account'] })
    await unkept.finished()
    await page.evaluate(`location.hash = '#/file/${unkept.fileIds[0]}'`)
    await page.getByRole('heading', { name: 'other.wav' }).waitFor()
    await page.getByText('[account]').first().waitFor()
    t.is(await box.count(), 0)
  },
)
