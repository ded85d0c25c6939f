import { text } from 'node:stream/consumers'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { BrowserContextOptions, Page } from 'playwright-core'

import { passagesKey, transcriptKey } from '../../actors/ids.ts'
import type { RunRef, Owner } from '../../actors/ids.ts'
import { passagesOf } from '../../actors/run/passages.ts'
import { isVisible } from '../../actors/upload/state.ts'
import { violations } from '../support/accessibility.ts'
import { batchService } from '../support/batch-service.ts'
import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { aConversation } from '../support/conversation.ts'

const inBrowser = await testWithBrowser()

/** What the console shows of transcripts that have everything in them, and whether everyone can read it. */

const service = batchService(test)
const browser = consoleBrowser(test)

/** A conversation of two, a file that was transcribed in part, one under way. */
async function layOut(owner: Owner): Promise<readonly RunRef[]> {
  const records = await service.records()
  const { refs } = await records.layOut(owner, [
    { stage: 'completed', filename: 'बैठक.wav' },
    { stage: 'partial', filename: 'call.wav' },
    { stage: 'running', filename: 'long.wav' },
  ])
  const uploads = await Promise.all(refs.map(async ({ fileId }) => (await records.files.read(fileId))?.value))
  await records.listing.append(owner, uploads.filter((file) => file !== undefined).filter(isVisible))
  const stored = { result: aConversation(), chunks: [] }
  const searched = passagesOf('बैठक.wav', stored.result)
  await records.blobs.put(transcriptKey(refs[0]!), { bytes: Buffer.from(JSON.stringify(stored)) })
  await records.blobs.put(passagesKey(refs[0]!), { bytes: Buffer.from(JSON.stringify(searched)) })
  return refs
}

async function opened(
  t: ExecutionContext,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; refs: readonly RunRef[] }> {
  const { owner, token } = await service.user(t)
  const refs = await layOut(owner)
  const page = await browser.open(t, `${service.shared.url}/#token=${token}`, options)
  return { page, refs }
}

/** The page before is away when this one is asked for its heading. */
async function go(page: Page, place: string): Promise<void> {
  await page.evaluate(`new Promise((left) => {
    window.addEventListener('hashchange', left, { once: true })
    location.hash = ${JSON.stringify(place)}
  }).then(() => undefined)`)
  await page.locator('h1').and(page.locator(':visible')).waitFor()
}

for (const colorScheme of ['light', 'dark'] as const)
  inBrowser.serial(`axe finds nothing against the console in ${colorScheme}`, async (t) => {
    const { page, refs } = await opened(t, { colorScheme, reducedMotion: 'reduce' })
    await page.locator('.row', { hasText: 'बैठक.wav' }).waitFor()
    t.deepEqual(await violations(page), [], 'the list')
    await go(page, `#/file/${refs[0]!.fileId}`)
    await page.getByLabel('Search in the transcript').fill('report')
    await page.locator('.word.found-now').waitFor()
    t.deepEqual(await violations(page), [], 'a result')
    await go(page, `#/file/${refs[1]!.fileId}`)
    t.deepEqual(await violations(page), [], 'a result with gaps')
    await go(page, `#/batch/${refs[0]!.batchId}`)
    t.deepEqual(await violations(page), [], 'a batch')
    await go(page, '#/search/namaste')
    await page.getByText('“namaste” is in 1 place.').waitFor()
    t.deepEqual(await violations(page), [], 'what was found')
    await go(page, '#/access')
    t.deepEqual(await violations(page), [], 'the keys')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Your token').waitFor()
    t.deepEqual(await violations(page), [], 'signing in')
  })

/** Words in Latin letters, where the page itself speaks: not what was said, a name, or a sentence of the server. */
const latinWords = `(() => {
  const notOurs = 'code, .name, .who, .word, .tag, .language, .found-places, .failures li, .warning, h1, [lang]:not(html)'
  const texts = []
  for (const node of document.querySelectorAll('body, body *:not(script, noscript, noscript *)')) {
    if (node.closest(notOurs)) continue
    texts.push(...['aria-label', 'title', 'placeholder'].map((name) => node.getAttribute(name) ?? ''))
    texts.push(...[...node.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map((text) => text.data))
  }
  return texts.flatMap((text) => text.match(/[A-Za-z][A-Za-z]+(?: [A-Za-z]+)*/g) ?? [])
})()`
const alsoInHindi =
  /^(?:Vaak|API|WAV|MP3|MP|M4A|FLAC|OGG|WebM|GST|Word|DOCX|PDF|SRT|WebVTT|JSON|NDJSON|Enter|Escape|Shift|Space|Ctrl|kB|MB|TB|am|pm|wav|call|long|laughing|phone|UTC|npm start|Authorization|Bearer)$/

async function leftInEnglish(page: Page): Promise<string[]> {
  const words = (await page.evaluate(latinWords)) as string[] // as: what the expression above gives
  return words.filter((word) => !alsoInHindi.test(word))
}

inBrowser.serial('in Hindi nothing that the console itself says is left in English', async (t) => {
  const { page, refs } = await opened(t, { locale: 'hi-IN' })
  await page.locator('.row', { hasText: 'बैठक.wav' }).waitFor()
  await page.getByLabel('call.wav चुनें').check()
  t.deepEqual(await leftInEnglish(page), [], 'the list')
  await go(page, `#/file/${refs[0]!.fileId}`)
  await page.getByLabel('ट्रांसक्रिप्ट में खोजें').fill('report')
  await page.locator('.word.found-now').waitFor()
  t.deepEqual(await leftInEnglish(page), [], 'a result')
  await becomes(t, () => page.locator('.tag').allInnerTexts(), ['[हँसी]', '[विराम]'])
  await page.getByRole('button', { name: 'नोट' }).click()
  await page.getByRole('dialog', { name: '0:00 पर नोट' }).waitFor()
  t.deepEqual(await leftInEnglish(page), [], 'a note')
  await page.getByRole('button', { name: 'रहने दें' }).click()
  await page.getByRole('button', { name: 'वक्ता 1' }).click()
  t.deepEqual(await leftInEnglish(page), [], 'a speaker')
  await page.getByRole('button', { name: 'रहने दें' }).click()
  await page.getByRole('button', { name: 'शेयर करें' }).click()
  await page.getByRole('button', { name: 'लिंक बनाएँ' }).click()
  await page.getByRole('button', { name: 'रद्द करें' }).waitFor()
  t.deepEqual(await leftInEnglish(page), [], 'sharing')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'कीबोर्ड शॉर्टकट' }).click()
  t.deepEqual(await leftInEnglish(page), [], 'the keyboard')
  await page.keyboard.press('Escape')
  await go(page, `#/file/${refs[1]!.fileId}`)
  t.deepEqual(await leftInEnglish(page), [], 'a result with gaps')
  await go(page, `#/batch/${refs[0]!.batchId}`)
  t.deepEqual(await leftInEnglish(page), [], 'a batch')
  await go(page, '#/search/namaste')
  await page.getByText('“namaste” 1 जगह मिला।').waitFor()
  t.deepEqual(
    (await leftInEnglish(page)).filter((word) => word !== 'namaste'),
    [],
    'what was found',
  )
  for (const place of ['#/usage', '#/words', '#/batches', '#/dictation']) {
    await go(page, place)
    t.deepEqual(await leftInEnglish(page), [], place)
  }
  await go(page, '#/access')
  await page.getByRole('button', { name: 'कुंजी बनाएँ' }).waitFor()
  t.deepEqual(await leftInEnglish(page), [], 'the keys')
  await page.getByRole('button', { name: 'साइन आउट' }).click()
  await page.getByLabel('आपका टोकन').waitFor()
  t.deepEqual(await leftInEnglish(page), [], 'signing in')
})

inBrowser.serial('a result tells speakers, languages, tags and doubt by more than colour', async (t) => {
  const { page, refs } = await opened(t)
  await go(page, `#/file/${refs[0]!.fileId}`)
  await page.locator('.transcript').waitFor()
  const textsOf = (those: string) => () => page.locator(those).allInnerTexts()
  await becomes(t, textsOf('.voice'), ['Speaker 1', 'Speaker 2', 'Speaker 1', 'Speaker 2'])
  await becomes(t, textsOf('.tag'), ['[laughing]', '[pause]'])
  t.is(await page.locator('.word', { hasText: 'quarter' }).getAttribute('lang'), 'en')
  t.is(await page.locator('.word.unsure').first().getAttribute('title'), '42% sure')
  await becomes(t, textsOf('.chips li'), ['Speaker 1', 'Speaker 2', 'Hindi 62%', 'English 38%'])

  await page.getByRole('radio', { name: 'Latin' }).check()
  await page.locator('.word', { hasText: 'namaste' }).waitFor()
  await page.getByRole('radio', { name: 'Devanagari' }).check()
  await page.locator('.word', { hasText: 'नमस्ते' }).waitFor()
})

/** Of those that are meant, from the window's left, in whole pixels. */
function edgesOf(page: Page, those: string, edge: 'left' | 'right'): () => Promise<number[]> {
  return async () => {
    const places = await page
      .locator(those)
      .evaluateAll((nodes, which) => nodes.map((node) => Math.round(node.getBoundingClientRect()[which])), edge)
    return [...new Set(places)]
  }
}

inBrowser.serial(
  'what belongs together stands below each other on a phone, and ends where the page does',
  async (t) => {
    const { page, refs } = await opened(t, { viewport: { width: 390, height: 800 } })
    await page.locator('.row .state').nth(2).waitFor()
    const lefts = await edgesOf(page, '.row .name, .row > .number, .row > .state-place', 'left')()
    t.is(lefts.length, 1, lefts.join(', '))
    await go(page, `#/file/${refs[0]!.fileId}`)
    const [ofPage] = await edgesOf(page, '#interface-language', 'right')()
    await becomes(t, edgesOf(page, '.tools input[type=search]', 'right'), [ofPage])
    await page.goto(`${service.shared.url}/shared#share_nothing`)
    await becomes(t, edgesOf(page, '#interface-language', 'right'), [ofPage])
  },
)

inBrowser.serial('a long name has most of its row on a wide screen too, whatever is said of it', async (t) => {
  const { page } = await opened(t)
  const row = page.locator('.row', { hasText: 'call.wav' })
  await row.waitFor()
  const widths = await row.evaluate((node) => {
    const [name, number] = ['.name', ':scope > .number'].map((those) => node.querySelector(those)!)
    name!.textContent = 'a-recording-with-a-long-name-'.repeat(3)
    number!.textContent = '0:04 · 149 kB · same recording as an earlier one'
    return [name!, number!].map((part) => part.getBoundingClientRect().width)
  })
  t.true(widths[0]! > widths[1]!, widths.join(', '))
})

inBrowser.serial('the place that one is at is marked among those that one can go to', async (t) => {
  const { page } = await opened(t)
  const marked = () => page.locator('.top nav [aria-current=page]').allInnerTexts()
  await becomes(t, marked, ['Recordings'])
  await go(page, '#/usage')
  await becomes(t, marked, ['Usage'])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await becomes(t, marked, [])
})

inBrowser.serial('chunks that failed are named with their time and their reason', async (t) => {
  const { page, refs } = await opened(t)
  await go(page, `#/file/${refs[1]!.fileId}`)
  const failures = page.locator('.failures')
  await failures.waitFor()
  t.regex(
    await failures.innerText(),
    /1 part could not be transcribed\n+0:05 to 0:10: It did not work\. After 2 attempts\./,
  )
  await failures.getByRole('button', { name: 'Try again' }).waitFor()
})

inBrowser.serial('several recordings are chosen, downloaded, and deleted together after a second word', async (t) => {
  const { page } = await opened(t)
  const rows = page.locator('.row')
  await page.getByLabel('Choose call.wav').check()
  await page.getByText('1 recording chosen').waitFor()
  await page.getByRole('button', { name: 'Choose all here' }).click()
  await page.getByText('3 recordings chosen').waitFor()
  await becomes(t, () => page.getByLabel('Choose long.wav').isChecked(), true)
  t.deepEqual(await violations(page), [])
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download what is chosen' }).click()
  const download = await started
  t.is(download.suggestedFilename(), 'recordings.txt')
  const texts = await text(await download.createReadStream())
  t.deepEqual(texts.match(/==> .* <==/g)?.toSorted(), ['==> call.wav <==', '==> long.wav <==', '==> बैठक.wav <=='])
  t.regex(texts, /मीटिंग/)
  t.regex(texts, /==> long\.wav <==\n\(.+\)/, 'what is under way says so')
  await page.getByRole('button', { name: 'Choose none' }).click()
  await page.getByText('0 recordings chosen').waitFor({ state: 'hidden' })

  await page.getByLabel('Choose call.wav').check()
  await page.getByLabel('Choose long.wav').check()
  const remove = page.getByRole('button', { name: 'Delete what is chosen' })
  await remove.click()
  t.is(await remove.innerText(), 'Really delete?')
  t.is(await rows.count(), 3, 'nothing is deleted by one click')
  await remove.click()
  await page.locator('.row', { hasText: 'call.wav' }).waitFor({ state: 'detached' })
  await becomes(t, () => page.locator('.row .name').allInnerTexts(), ['बैठक.wav'])
  await remove.waitFor({ state: 'hidden' })
})

inBrowser.serial('a recording that failed says in its row why', async (t) => {
  const { owner, token, api } = await service.user(t)
  const records = await service.records()
  const { refs, batch } = await records.layOut(owner, [{ stage: 'failed', filename: 'broken.wav' }])
  const { fileId } = refs[0]!
  const uploaded = (await records.files.read(fileId))?.value
  await records.listing.append(owner, [uploaded].filter((file) => file !== undefined).filter(isVisible))
  const { body } = await api.get(`/transcribe/status/file/${fileId}`)
  t.is(body.status, 'failed')
  t.truthy(body.error)
  const page = await browser.open(t, `${service.shared.url}/#token=${token}`)
  const reason = page.locator('.row', { hasText: 'broken.wav' }).locator('.reason')
  await becomes(t, () => reason.innerText(), body.error)
  await go(page, `#/batch/${batch.batchId}`)
  await becomes(t, () => reason.innerText(), body.error)
})

inBrowser.serial('a batch that waits for a model names it instead of showing a bar that stands still', async (t) => {
  const { workers } = await service.records()
  await workers.create('one', {
    mode: 'both',
    waitingFor: { what: 'fetching model a', percent: 40, secondsLeft: 20 },
  })
  t.teardown(() => workers.remove('one'))
  const { page } = await opened(t)
  const head = page.locator('.card-head')
  await head.getByText('Fetching model a, 40%').waitFor()
  t.false(await head.locator('progress').isVisible())
})
