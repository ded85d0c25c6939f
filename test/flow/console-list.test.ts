import test from 'ava'

import { acceptedBatch } from '../../actors/batch/state.ts'
import { runKey } from '../../actors/ids.ts'
import { chunksOf } from '../../actors/run/state.ts'
import { bits } from '../support/batch-builders.ts'
import { batchesIn } from '../support/batches.ts'
import { aFile } from '../support/builders.ts'
import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { submit } from '../support/pipeline.ts'
import { scriptedConsole } from '../support/scripted-console.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const inBrowser = await testWithBrowser()

/** The list of recordings, and batches in it, as people use them in a real browser. What is heard is scripted. */

const scene = scriptedConsole(test)
const { service } = scene
const browser = consoleBrowser(test)

const recording = aScriptedRecording(scriptedSeconds(2))
const damaged = aScriptedRecording([{ audio: 21, commands: [{ stage: 'plan', act: 'terminal' }] }])
/** More often than anybody tries. */
const unlucky = aScriptedRecording([{ audio: 22, commands: [{ stage: 'plan', act: 'retryable', times: 50 }] }])

// before there is a worker, who would take it up
inBrowser.serial('what is done of a recording is read while the rest is in work', async (t) => {
  const { address, owner } = await scene.aPerson(t)
  const stored = await batchesIn(service)
  const { runs } = stored
  const { refs } = await stored.layOut(owner, [{ stage: 'running', chunks: 3 }])
  const key = runKey(refs[0]!)
  const { value, revision } = (await runs.read(key))!
  const chunks = (...done: number[]) => ({ ...chunksOf(value.progress)!, done: bits(...done), active: {} })
  const first = await runs.replace(
    key,
    { ...value, progress: { phase: 'running', attempt: 1, chunks: chunks(0) } },
    revision,
  )
  const page = await browser.open(t, address)
  await page.evaluate(`location.hash = '#/file/${refs[0]!.fileId}'`)
  const lines = page.locator('.so-far p')
  await lines.first().waitFor()
  await becomes(t, () => lines.count(), 1)
  await runs.replace(key, { ...value, progress: { phase: 'running', attempt: 1, chunks: chunks(0, 1) } }, Number(first))
  await lines.nth(1).waitFor()
  await eventually('the next is there with its time', async () => /^0:05 \S/.test(await lines.nth(1).innerText()))
  t.pass()
})

inBrowser.serial('a batch that is under way is cancelled in the list', async (t) => {
  const { address, owner } = await scene.aPerson(t)
  const stored = await batchesIn(service)
  const { batch } = await stored.layOut(owner, [{ stage: 'completed' }, { stage: 'running', chunks: 3 }])
  const page = await browser.open(t, address)
  await page.evaluate(`location.hash = '#/batch/${batch.batchId}'`)
  // hidden as soon as the page knows that nothing is under way
  const cancel = page.getByRole('button', { name: 'Cancel', includeHidden: true })
  await cancel.click()
  await eventually('it is cancelled', async () => {
    const now = acceptedBatch((await stored.batches.read(batch.batchId))?.value)
    return now?.cancelled === bits(1)
  })
  t.true(await cancel.isDisabled())
})

inBrowser.serial('a batch is given a name in the list, which is shown wherever it is', async (t) => {
  const { address, api } = await scene.aPerson(t)
  await scene.addWorker()
  await (await submit(api, [{ name: 'one.wav', content: recording }], { name: '<i>Monday</i>' })).finished()
  const page = await browser.open(t, address)
  await page.getByRole('link', { name: '<i>Monday</i>' }).waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Name; empty for none').fill('सोमवार')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'सोमवार' }).click()
  await page.getByRole('heading', { level: 1, name: 'सोमवार' }).waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Name; empty for none').fill('')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /^Batch of/ }).waitFor()
  t.is((await api.get('/transcribe/batches')).body.batches[0].name, undefined)
})

inBrowser.serial('one recording is tried again from its row, and a damaged one is not offered it', async (t) => {
  const { address, api } = await scene.aPerson(t)
  await scene.addWorker()
  const files = { 'damaged.wav': damaged, 'unlucky.wav': unlucky, 'fine.wav': recording }
  const batch = await submit(
    api,
    Object.entries(files).map(([name, content]) => ({ name, content })),
    {},
  )
  await batch.finished()
  const page = await browser.open(t, address)
  const reason = page.locator('.row', { hasText: 'damaged.wav' }).locator('.reason')
  await becomes(t, () => reason.innerText(), 'The script says that this fails for good.')
  const again = page.getByRole('button', { name: /^Try again: / })
  await becomes(t, () => again.count(), 1)
  await page.getByRole('button', { name: 'Try again: unlucky.wav' }).click()
  const retry = page.locator('.card[data-batch]', { hasText: 'unlucky.wav' })
  await retry.and(page.locator(`:not([data-batch="${batch.batchId}"])`)).waitFor()
  await becomes(t, () => retry.locator('.row').count(), 1)
  await page.locator('.row', { hasText: 'damaged.wav' }).getByRole('link').click()
  await page.getByText('Trying again would not help.').waitFor()
})

inBrowser.serial('one bar tells how much of all that is sent has arrived, and is gone when all is', async (t) => {
  const { address } = await scene.aPerson(t)
  const page = await browser.open(t, address)
  // holds them back until somebody has looked
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/files/upload', async (route) => {
    await released
    await route.continue()
  })
  const buffer = Buffer.from(recording)
  await page
    .locator('input[type=file]')
    .setInputFiles(['a.wav', 'b.wav', 'c.wav'].map((name) => ({ name, mimeType: 'audio/wav', buffer })))
  const bar = page.getByRole('progressbar', { name: 'Sent of all recordings' })
  await bar.waitFor()
  t.true(Number(await bar.getAttribute('value')) < 1)
  const amount = page.locator('.sending .card-head .number')
  t.regex(await amount.innerText(), new RegExp(`of ${((buffer.length * 3) / 1000).toFixed(0)} kB$`))
  release()
  await page.locator('.card[data-batch]', { hasText: 'c.wav' }).waitFor()
  await bar.waitFor({ state: 'detached' })
})

inBrowser.serial('of three hundred recordings those are shown that are asked for, in the order that is', async (t) => {
  const { address, api, owner } = await scene.aPerson(t)
  const files = Array.from({ length: 300 }, (_, at) =>
    aFile('completed', { owner, filename: `call ${at + 1}.wav`, durationSeconds: at === 7 ? 900 : 10 }),
  )
  const stored = await service.stored()
  // not all at once: a busy broker would not answer in time
  for (let at = 0; at < files.length; at += 30) await stored.add(files.slice(at, at + 30))
  await scene.addWorker()
  const batch = await submit(api, [{ name: 'unlucky.wav', content: unlucky }], {})
  await batch.finished()
  const page = await browser.open(t, address)
  const rows = page.locator('.row')
  await rows.first().waitFor()
  await becomes(t, () => rows.count(), 25)
  await page.getByRole('button', { name: 'Older' }).click()
  await page.getByText('call 276.wav').waitFor()
  await page.getByText('Filter and sort').click()
  await page.getByLabel('Order').selectOption('By name')
  await page.locator('.row:nth-child(301)').waitFor()
  const firstNames = async () => (await rows.locator('.name').allInnerTexts()).slice(0, 3)
  await becomes(t, firstNames, ['call 1.wav', 'call 2.wav', 'call 3.wav'])
  await page.getByLabel('Order').selectOption('Longest first')
  await page.locator('.row:first-child', { hasText: 'call 8.wav' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('CALL 29')
  await page.getByText('11 recordings shown.').waitFor()
  await becomes(t, () => rows.count(), 11)
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.locator('.card[data-batch]', { hasText: 'unlucky.wav' }).waitFor()
  await page.getByLabel('State', { exact: true }).selectOption('Failed')
  await page.locator('.row:only-child', { hasText: 'unlucky.wav' }).waitFor()
  await page.getByLabel('Choose unlucky.wav').check()
  const before = await page.locator('.row', { hasText: 'unlucky.wav' }).elementHandle()
  if (!before) throw new Error('there is no row')
  await page.getByRole('button', { name: 'Try again what is chosen' }).click()
  await page.getByText('1 recording tried again.').waitFor()
  await before.waitForElementState('hidden')
  t.true(await page.getByText('1 recording tried again.').isVisible(), 'it is not talked over by the list')
  t.not((await api.get(`/transcribe/status/file/${batch.fileIds[0]}`)).body.batch_id, batch.batchId)
  await page.getByLabel('Until').fill('2001-01-01')
  await page.getByText('Nothing here matches.').waitFor()
})
