import { readFile } from 'node:fs/promises'

import test from 'ava'
import type { Page } from 'playwright-core'

import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { submit } from '../support/pipeline.ts'
import { scriptedConsole } from '../support/scripted-console.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

const inBrowser = await testWithBrowser()

/** The console as people use it, in a real browser. What is heard is scripted, everything else is as in earnest. */

const scene = scriptedConsole(test)
const { service } = scene
const browser = consoleBrowser(test)

const recording = aScriptedRecording(scriptedSeconds(4))
const spoken = textsOf(recording)
/** Fails more often than anybody tries. */
const broken = aScriptedRecording([{ audio: 7, commands: [{ stage: 'plan', act: 'retryable', times: 50 }] }])

function choose(page: Page, ...files: readonly { name: string; content: Uint8Array }[]): Promise<void> {
  return page
    .locator('input[type=file]')
    .setInputFiles(files.map(({ name, content }) => ({ name, mimeType: 'audio/wav', buffer: Buffer.from(content) })))
}

inBrowser.serial('from an empty page to a transcript that is played, searched and downloaded', async (t) => {
  const { address } = await scene.aPerson(t)
  const page = await browser.open(t, address)
  await page.getByText('Nothing here yet').waitFor()
  t.false(page.url().includes('token'), 'the token is taken from the address')

  await choose(page, { name: 'meeting.wav', content: recording }, { name: 'broken.wav', content: broken })
  await page
    .locator('.card[data-batch] .state', { hasText: /Waiting/ })
    .first()
    .waitFor()
  await scene.addWorker()
  const row = page.locator('.row', { hasText: 'meeting.wav' })
  await row.getByText('Done').waitFor()
  await page.locator('.row', { hasText: 'broken.wav' }).getByText('Failed').waitFor()

  await row.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'meeting.wav' }).waitFor()
  const lines = page.locator('.line p')
  await becomes(t, async () => (await lines.allInnerTexts()).join(' ').trim(), spoken.join(' '))

  const word = page.locator('.word', { hasText: spoken[2]!.split(' ')[1]! })
  await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor()
  await word.click()
  await page.locator('.word.now').first().waitFor()
  const seconds = await page.evaluate('document.querySelector("audio").currentTime')
  t.true(Number(seconds) >= 2, `plays from the word, at ${String(seconds)}`)

  await page.getByLabel('Search in the transcript').fill('HEARD')
  await page.getByText('1 of 4').waitFor()
  await becomes(t, () => page.locator('.word.found').count(), 4)
  await page.getByLabel('Search in the transcript').fill('हर्ड')
  await page.getByText('1 of 1').waitFor()

  await page.locator('summary', { hasText: 'Download' }).click()
  const downloaded = async (name: string) => {
    const button = page.getByRole('button', { name, exact: true })
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
  }
  const subtitles = await downloaded('SRT subtitles')
  t.is(subtitles.name, 'meeting.srt')
  t.regex(subtitles.text, new RegExp(spoken[0]!))
  await page.getByLabel('without um and false starts').check()
  const asked = page.waitForRequest((request) => request.url().includes('style=clean'))
  await Promise.all([asked, downloaded('Text')])
  const { receipt, result } = JSON.parse((await downloaded('JSON with receipt')).text)
  t.is(typeof receipt.jws, 'string')
  t.is(result.text, spoken.join(' '), 'as it was transcribed, whatever is asked for besides')
})

inBrowser.serial(
  'what was said is found from the list, and a place that was found is where the recording is opened',
  async (t) => {
    const { address, api } = await scene.aPerson(t)
    const long = aScriptedRecording(scriptedSeconds(40, 300))
    await scene.addWorker()
    await (await submit(api, [{ name: 'long.wav', content: long }], {})).finished()
    const page = await browser.open(t, address)
    const wanted = textsOf(long)[30]!.split(' ')[1]!
    await page.getByLabel('Find in all recordings').fill(wanted)
    await page.keyboard.press('Enter')
    await page.getByText(`“${wanted}” is in 1 place.`).waitFor()
    await page.getByRole('link', { name: 'long.wav 0:30' }).click()
    await page.getByRole('heading', { level: 1, name: 'long.wav' }).waitFor()
    const word = page.locator('.word.now')
    await word.waitFor()
    await becomes(t, () => word.innerText(), wanted)
    await page.goBack()
    await page.getByText(`“${wanted}” is in 1 place.`).waitFor()
    await page.getByLabel('Find in all recordings').fill('nobody')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByText('“nobody” was not found.').waitFor()
  },
)

inBrowser.serial(
  'the page goes along with what is played until its reader scrolls, and again when they ask',
  async (t) => {
    const { address, api } = await scene.aPerson(t)
    const long = aScriptedRecording(scriptedSeconds(40, 700))
    await scene.addWorker()
    const batch = await submit(api, [{ name: 'played.wav', content: long }], {})
    await batch.finished()
    const page = await browser.open(t, address)
    await page.evaluate(`location.hash = '#/file/${batch.fileIds[0]}'`)
    await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).click()
    await page.locator('.word.now').first().waitFor()
    const back = page.getByRole('button', { name: 'Back to where it plays' })
    t.false(await back.isVisible())
    await page.mouse.wheel(0, 20)
    await back.click()
    await back.waitFor({ state: 'hidden' })
    await eventually('the word that plays is in sight', async () => {
      const place = await page.locator('.word.now').first().boundingBox()
      return place !== null && place.y > 0 && place.y < 900
    })
  },
)

inBrowser.serial('a recording that is dropped anywhere on the page is taken', async (t) => {
  const { address } = await scene.aPerson(t)
  const page = await browser.open(t, address)
  await page.getByText('Nothing here yet').waitFor()
  const base64 = Buffer.from(recording).toString('base64')
  const dataTransfer = await page.evaluateHandle(`(() => {
    const dragged = new DataTransfer()
    const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0))
    dragged.items.add(new File([bytes], 'dropped.wav', { type: 'audio/wav' }))
    return dragged
  })()`)
  await page.dispatchEvent('body', 'dragover', { dataTransfer })
  await page.locator('.drop.over').waitFor()
  await page.dispatchEvent('body', 'drop', { dataTransfer })
  await page.locator('.card[data-batch] .row', { hasText: 'dropped.wav' }).waitFor()
  await becomes(t, () => page.locator('.drop.over').count(), 0)
})

inBrowser.serial('what failed is tried again by a button, and the page goes with it', async (t) => {
  const { address } = await scene.aPerson(t)
  const page = await browser.open(t, address)
  await choose(page, { name: 'fine.wav', content: recording }, { name: 'broken.wav', content: broken })
  await scene.addWorker()
  const failed = page.locator('.row', { hasText: 'broken.wav' }).getByText('Failed')
  await failed.waitFor()
  await page.locator('.row', { hasText: 'fine.wav' }).getByText('Done').waitFor()
  await page.getByRole('link', { name: /^Batch of/ }).click()
  const again = page.getByRole('button', { name: 'Try failed parts again' })
  await again.waitFor()
  const first = page.url()
  await again.click()
  await page.waitForURL((url) => url.href !== first)
  // only what failed is tried again; the page before has a row that says so too
  await becomes(t, () => page.locator('.row').count(), 1)
  await failed.waitFor()
})

inBrowser.serial('what is no audio is refused by name, and the others are transcribed', async (t) => {
  const { address } = await scene.aPerson(t)
  const page = await browser.open(t, address)
  await page.getByText('Nothing here yet').waitFor()
  const name = '<img src=x onerror=alert(1)>.wav'
  await choose(page, { name, content: Buffer.from('no sound at all') }, { name: 'fine.wav', content: recording })
  await page.locator('.sending .row', { hasText: name }).locator('.reason').waitFor()
  await page.locator('.card[data-batch]', { hasText: 'fine.wav' }).waitFor()
  t.is(await page.locator('main img').count(), 0)
})

inBrowser.serial('a second user sees nothing of the first', async (t) => {
  const first = await scene.aPerson(t)
  const batch = await submit(first.api, [{ name: 'private.wav', content: recording }], {})
  const second = await scene.aPerson(t)
  const page = await browser.open(t, second.address)
  await page.getByText('Nothing here yet').waitFor()
  for (const place of [`#/file/${batch.fileIds[0]}`, `#/batch/${batch.batchId}`]) {
    await page.goto(`${service.url}/${place}`)
    await page.getByRole('alert').waitFor()
    t.false((await page.locator('body').innerText()).includes('private'))
  }
})

inBrowser.serial('a token that is wrong gives a sentence, and a hint how to get one', async (t) => {
  const { name, token } = await scene.aPerson(t)
  const page = await browser.open(t, service.url)
  await page.getByText('npx vaak token').waitFor()
  await page.getByLabel('Your token').fill('nonsense')
  await page.keyboard.press('Enter')
  t.regex(await page.getByRole('alert').innerText(), /^This token does not work\. .+\.$/)
  await page.getByLabel('Your token').fill(`Bearer ${token}`)
  await page.keyboard.press('Enter')
  await page.getByText('Nothing here yet').waitFor()
  t.is(await page.locator('.who').innerText(), name)
  await page.reload()
  await page.getByText('Nothing here yet').waitFor()
})

inBrowser.serial('a pasted token is kept in the browser if its owner chooses so, until they sign out', async (t) => {
  const { name, token } = await scene.aPerson(t)
  const page = await browser.open(t, service.url)
  await page.getByLabel('Your token').fill(token)
  await page.keyboard.press('Enter')
  await page.getByText('Nothing here yet').waitFor()
  const other = await page.context().newPage()
  await other.goto(service.url)
  await other.getByLabel('Your token').fill(token)
  await other.getByLabel('Keep me signed in on this browser').check()
  await other.getByRole('button', { name: 'Open the console' }).click()
  await other.getByText('Nothing here yet').waitFor()
  const third = await page.context().newPage()
  await third.goto(service.url)
  await third.getByText('Nothing here yet').waitFor()
  t.is(await third.locator('.who').innerText(), name)
  await third.getByRole('button', { name: 'Sign out' }).click()
  await other.getByLabel('Your token').waitFor()
  t.is(await third.evaluate('JSON.stringify([sessionStorage, localStorage])'), '[{},{}]')
})

inBrowser.serial('a person with a keyboard only reads, plays and searches', async (t) => {
  await scene.addWorker()
  const { address, api } = await scene.aPerson(t)
  const batch = await submit(api, [{ name: 'keys.wav', content: recording }], {})
  await batch.finished()
  const page = await browser.open(t, address)
  await page.locator('.row', { hasText: 'keys.wav' }).waitFor()
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent')
  for (let step = 0; step < 25 && (await focused()) !== 'keys.wav'; step += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('heard')
  await page.getByText('1 of 4').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('2 of 4').waitFor()
  await page.locator('.transcript').focus()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.locator('.word.now').first().waitFor()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  t.true(Number(await page.evaluate('document.querySelector("audio").currentTime')) >= 1)
})
