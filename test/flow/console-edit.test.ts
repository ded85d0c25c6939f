import { readFile } from 'node:fs/promises'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { BrowserContextOptions, Page } from 'playwright-core'

import { transcriptKey } from '../../actors/ids.ts'
import type { Api } from '../support/api.ts'
import { violations } from '../support/accessibility.ts'
import { batchService } from '../support/batch-service.ts'
import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { aConversation } from '../support/conversation.ts'
import { eventually } from '../support/eventually.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'

const inBrowser = await testWithBrowser()

/** A transcript as a document: corrected, named, undone, copied, with a mouse and without one. */

const service = batchService(test)
const browser = consoleBrowser(test)

interface Opened {
  readonly page: Page
  readonly api: Api
  readonly path: string
}

async function opened(
  t: ExecutionContext,
  { stored = { result: aConversation(), chunks: [] }, ...options }: BrowserContextOptions & { stored?: object } = {},
): Promise<Opened> {
  const { owner, token, api } = await service.user(t)
  const records = await service.records()
  const { refs } = await records.layOut(owner, [{ stage: 'completed', filename: 'बैठक.wav' }])
  const { fileId } = refs[0]!
  await records.blobs.put(transcriptKey(refs[0]!), { bytes: Buffer.from(JSON.stringify(stored)) })
  const page = await browser.open(t, `${service.shared.url}/#token=${token}`, options)
  await page.evaluate(`location.hash = ${JSON.stringify(`#/file/${fileId}`)}`)
  await page.locator('.transcript').waitFor()
  return { page, api, path: `/transcribe/results/file/${fileId}` }
}

/** A line that was just written has no text until it is painted. */
const firstText = (page: Page): Promise<string> =>
  eventually('a line has text', async () => {
    const text = (await page.locator('.line p').first().innerText()).trim()
    return text !== '' && text
  })

function firstTextIs(t: ExecutionContext, page: Page, wanted: string): Promise<void> {
  return becomes(t, () => firstText(page), wanted)
}

const isDisabled = (page: Page, name: string) => () => page.getByRole('button', { name }).isDisabled()

inBrowser.serial('a sentence is clicked and corrected, and the correction is undone and made again', async (t) => {
  const { page, api, path } = await opened(t)
  const before = await firstText(page)
  await becomes(t, isDisabled(page, 'Undo'), true)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.locator('.word').first().click()
  const field = page.getByLabel(/^Sentence at/)
  await field.fill('दादा आए।')
  await field.press('Enter')
  await page.locator('.word', { hasText: 'आए।' }).waitFor()
  await becomes(t, async () => (await api.get(path)).body.edits?.version, 1)

  await page.locator('.word').first().click()
  await field.fill('nothing')
  await field.press('Escape')
  await firstTextIs(t, page, 'दादा आए।')
  t.is((await api.get(path)).body.edits.version, 1)

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.word', { hasText: 'आए।' }).waitFor({ state: 'detached' })
  await firstTextIs(t, page, before)
  await becomes(t, isDisabled(page, 'Undo'), true)
  await page.getByRole('button', { name: 'Redo' }).click()
  await page.locator('.word', { hasText: 'आए।' }).waitFor()
  await becomes(t, isDisabled(page, 'Redo'), true)
})

inBrowser.serial('only what a correction changes is written anew', async (t) => {
  const { page } = await opened(t)
  const sentences = "[...document.querySelectorAll('.segment')]"
  await page.evaluate(`${sentences}.forEach((one) => (one.isOld = true))`)
  await page.keyboard.press('e')
  await page.getByLabel(/^Sentence at/).fill('दादा आए।')
  await page.keyboard.press('Enter')
  await page.locator('.word', { hasText: 'आए।' }).waitFor()
  t.deepEqual(await page.evaluate(`${sentences}.map((one) => one.isOld === true)`), [
    false,
    true,
    true,
    true,
    true,
    true,
  ])
})

inBrowser.serial('a speaker is named everywhere, and merged with another', async (t) => {
  const { page } = await opened(t)
  await page.getByRole('button', { name: 'Speaker 1' }).click()
  await page.getByLabel('Name, everywhere in this transcript').fill('Asha')
  await page.keyboard.press('Enter')
  await page.locator('.voice', { hasText: 'Asha' }).first().waitFor()
  await becomes(t, () => page.locator('.voice').allInnerTexts(), ['Asha', 'Speaker 2', 'Asha', 'Speaker 2'])
  await page.getByRole('button', { name: 'Speaker 2' }).click()
  await page.getByLabel('The same person as').selectOption('Asha')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.voice', { hasText: 'Speaker 2' }).first().waitFor({ state: 'detached' })
  await becomes(t, () => page.locator('.voice').allInnerTexts(), ['Asha'])
})

inBrowser.serial('what is changed is seen before the server has made it, and no more when it could not', async (t) => {
  const { page } = await opened(t)
  const text = await firstText(page)
  const held: { go: (isMade: boolean) => Promise<void> }[] = []
  await page.route('**/transcribe/results/file/*', (route) =>
    route.request().method() === 'PATCH'
      ? void held.push({ go: (isMade) => (isMade ? route.continue() : route.fulfill({ status: 503, json: {} })) })
      : route.continue(),
  )
  const next = () => eventually('the server is asked', () => held.shift())
  await page.getByRole('button', { name: 'Speaker 1' }).click()
  await page.getByLabel('Name, everywhere in this transcript').fill('Asha')
  await page.keyboard.press('Enter')
  await page.locator('.voice', { hasText: 'Asha' }).first().waitFor()
  await page.keyboard.press('e')
  await page.getByLabel(/^Sentence at/).fill('दादा आए।')
  await page.keyboard.press('Enter')
  await firstTextIs(t, page, 'दादा आए।')
  await (await next()).go(true)
  await (await next()).go(false)
  await page.getByRole('alert').waitFor()
  await firstTextIs(t, page, text)
  await becomes(t, () => page.locator('.voice').allInnerTexts(), ['Asha', 'Speaker 2', 'Asha', 'Speaker 2'])
})

inBrowser.serial('what is downloaded has what was changed a moment ago', async (t) => {
  const { page } = await opened(t)
  let letGo = (): void => undefined
  const isHeld = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/transcribe/results/file/*', async (route) => {
    if (route.request().method() === 'PATCH') await isHeld
    await route.continue()
  })
  await page.keyboard.press('e')
  await page.getByLabel(/^Sentence at/).fill('दादा आए।')
  await page.keyboard.press('Enter')
  await firstTextIs(t, page, 'दादा आए।')
  await page.locator('summary', { hasText: 'Download' }).click()
  const download = page.waitForEvent('download')
  const button = page.getByRole('button', { name: 'Text', exact: true })
  await button.click()
  t.true(await button.isDisabled())
  letGo()
  t.regex(await readFile(await (await download).path(), 'utf8'), /दादा आए।/)
})

inBrowser.serial('by keyboard alone a sentence is edited and a speaker named, from where one was', async (t) => {
  const { page } = await opened(t)
  const focused = () => page.evaluate('document.activeElement.textContent')
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
  await page.locator('.transcript').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByLabel(/^Sentence at/).fill('by keys alone')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo' }).and(page.locator(':enabled')).press('Enter')
  await page.locator('.word', { hasText: 'alone' }).waitFor({ state: 'detached' })
  await becomes(t, focused, 'Redo')
  await page.getByRole('button', { name: 'Speaker 1' }).press('Enter')
  await page.getByLabel('Name, everywhere in this transcript').fill('Asha')
  await page.keyboard.press('Enter')
  await page.locator('.voice', { hasText: 'Asha' }).first().waitFor()
  await becomes(t, focused, 'Asha')
})

inBrowser.serial(
  'a note is written, changed and removed by keyboard alone, and the shortcuts are listed under ?',
  async (t) => {
    const { page } = await opened(t)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    // the browser closes it in its own time, and until then it has every key
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: /^Note at/ }).waitFor()
    await page.keyboard.type('ask her')
    await page.keyboard.press('Tab')
    await page.locator('dialog button:focus', { hasText: 'Save' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.note', { hasText: 'ask her' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).and(page.locator(':enabled')).waitFor()
    await page.getByRole('button', { name: 'Edit note' }).press('Enter')
    await page.getByRole('button', { name: 'Remove' }).press('Enter')
    await page.locator('.note').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await page.locator('.note', { hasText: 'ask her' }).waitFor()

    await page.locator('.transcript').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('e')
    await page.getByLabel(/^Sentence at/).fill('by keys alone')
    await page.keyboard.press('Enter')
    await page.locator('.word', { hasText: 'alone' }).waitFor()
    await firstTextIs(t, page, 'by keys alone')
    // and goes on from there
    await becomes(t, () => page.evaluate('document.activeElement.className'), 'transcript')
  },
)

inBrowser.serial(
  'a link is made and shows the transcript to somebody without a token, who cannot change it, until it is revoked',
  async (t) => {
    const { page } = await opened(t)
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Make a link' }).click()
    const address = await page.getByLabel(/^Copy it now/).inputValue()
    await page.getByRole('button', { name: 'Revoke' }).waitFor()
    t.deepEqual(await violations(page), [], 'the dialog')

    const stranger = await browser.open(t, address, { viewport: { width: 390, height: 800 } })
    await stranger.locator('.transcript').waitFor()
    await firstTextIs(t, stranger, await firstText(page))
    await becomes(t, () => stranger.getByRole('button').allInnerTexts(), ['Copy', '?'])
    await stranger.keyboard.press('e')
    t.is(await stranger.locator('textarea').count(), 0)
    t.is(await stranger.locator('.player').count(), 0, 'nobody said that it may be heard')
    t.deepEqual(await violations(stranger), [], 'the page')
    await stranger.locator('summary').click()
    const download = stranger.waitForEvent('download')
    await stranger.getByRole('button', { name: 'WebVTT' }).click()
    t.is((await download).suggestedFilename(), 'बैठक.vtt')

    await page.getByRole('button', { name: 'Revoke' }).press('Enter')
    await page.getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' })
    await stranger.reload()
    t.regex(await stranger.getByRole('alert').innerText(), /revoked/)
    t.is(await stranger.locator('.transcript').count(), 0)
  },
)

inBrowser.serial('who comes with a link that shows nothing is told so in their language', async (t) => {
  const page = await browser.open(t, `${service.shared.url}/shared#share_nothing`, { locale: 'hi-IN' })
  t.regex(await page.getByRole('alert').innerText(), /नया लिंक माँगिए/)
})

inBrowser.serial('one button copies the words, without times, tags and languages', async (t) => {
  const { page } = await opened(t, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  t.notRegex(copied, /\d:\d\d|\[|Speaker|\bhi\b/)
  t.is(copied.split('\n\n').length, 4, 'a paragraph for each turn')
})

inBrowser.serial(
  'who was overtaken by another is told so, sees what is there, and nothing is overwritten',
  async (t) => {
    const { page, api, path } = await opened(t)
    const changes = [{ type: 'text', segment: 0, text: 'another was here' }]
    t.is((await api.patch(path, { json: { version: 0, changes } })).status, 200)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.locator('.word').first().click()
    await page.getByLabel(/^Sentence at/).fill('mine')
    await page.keyboard.press('Enter')
    t.regex(
      await page.getByRole('alert').innerText(),
      /^This was made for version 0, and the transcript is at version 1/,
    )
    await page.locator('.word', { hasText: 'another' }).waitFor()
    t.is((await api.get(path)).body.edits.version, 1)
  },
)

inBrowser.serial(
  'a transcript of three hours is all there, has few stops for the keyboard, and its tools stay in sight',
  async (t) => {
    const sentences = Array.from({ length: 1_800 }, (_, at) => ({
      text: `this is sentence number ${at} of a very long day`,
    }))
    const { page } = await opened(t, { stored: aToldTranscript(...sentences) })
    const written = async (): Promise<string> => String(await page.locator('.transcript').textContent())
    await becomes(t, async () => (await written()).match(/of a very long day/g)?.length, 1_800)
    t.true((await page.locator('.word').count()) < 2_000, 'words that nobody sees are not made yet')
    const stops = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter((node) => node.tabIndex >= 0 && !node.disabled && node.checkVisibility()).length`
    t.true(Number(await page.evaluate(stops)) < 60)
    await page.mouse.wheel(0, 30_000)
    await eventually('it is scrolled', async () => Number(await page.evaluate('window.scrollY')) > 1_000)
    for (const name of ['Copy', 'Undo']) {
      const { y } = (await page.getByRole('button', { name }).boundingBox())!
      t.true(y >= 0 && y < 200, `${name} is at ${y}`)
    }
    await page.getByLabel('Search in the transcript').fill('number 1700')
    await page.locator('.word.found-now', { hasText: '1700' }).waitFor()
    await becomes(t, () => page.locator('.word.found').count(), 2)
  },
)

for (const colorScheme of ['light', 'dark'] as const)
  inBrowser.serial(
    `axe finds nothing against a transcript that is edited in ${colorScheme}, wide and narrow`,
    async (t) => {
      for (const width of [1100, 390]) {
        const { page } = await opened(t, { colorScheme, reducedMotion: 'reduce', viewport: { width, height: 800 } })
        await page.keyboard.press('n')
        await page.getByRole('dialog', { name: /^Note at/ }).waitFor()
        await page.keyboard.type('ask her')
        t.deepEqual(await violations(page), [], 'a dialog')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.locator('.note').waitFor()
        await page.locator('summary', { hasText: 'Download' }).click()
        t.deepEqual(await violations(page), [], 'the menu')
        await page.getByRole('button', { name: 'Edit', exact: true }).click()
        await page.locator('.downloads').waitFor({ state: 'hidden' })
        await page.locator('.word').first().click()
        t.deepEqual(await violations(page), [], 'editing')
        t.true(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, 'nothing is cut off')
      }
    },
  )
