import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import { violations } from '../support/accessibility.ts'
import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { exampleIn, formsIn, shownLanguages, ranExample } from '../support/docs-examples.ts'
import { aFolder } from '../support/folder.ts'
import { submit } from '../support/pipeline.ts'
import { beginByHand } from '../support/resumable.ts'
import { scriptedConsole } from '../support/scripted-console.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { testWhere } from '../support/test-where.ts'

/** The description of the API for people: what it shows can be pasted and works. */

const inBrowser = await testWithBrowser()
const withTools = await testWhere('examples in curl and Python', () =>
  ensurePackages({ name: 'curl and Python', packages: ['curl', 'python3'], programs: ['curl', 'python3'] }),
)

const run = promisify(execFile)
const scene = scriptedConsole(test)
const browser = consoleBrowser(test)
const recording = aScriptedRecording(scriptedSeconds(2, 900))

async function thePage(): Promise<string> {
  return (await fetch(`${scene.service.url}/docs`)).text()
}

async function aPlace(t: ExecutionContext) {
  const { api, token } = await scene.aPerson(t)
  await scene.addWorker()
  const batch = await submit(api, [{ name: 'one.wav', content: recording }], {})
  await batch.finished()
  const folder = await aFolder(t)
  await writeFile(join(folder, 'one.wav'), recording)
  const resumable = await beginByHand(api, 2 * recording.length)
  const env = {
    PATH: process.env['PATH'],
    VAAK_URL: scene.service.url,
    VAAK_TOKEN: token,
    BATCH_ID: batch.batchId,
    FILE_ID: batch.fileIds[0],
    RESUMABLE_UPLOAD_ID: resumable.split('/').at(-1),
  }
  return { folder, env, fileId: batch.fileIds[0]! }
}

for (const language of shownLanguages)
  withTools.serial(`the examples in ${language} work as they are shown`, async (t) => {
    t.timeout(300_000)
    const page = await thePage()
    const { folder, env, fileId } = await aPlace(t)
    const ran = (operation: string): Promise<string> =>
      ranExample(exampleIn(page, { operation, language }), { language, folder, env })
    t.like(JSON.parse(await ran('uploadFiles')), { files: [{ filename: 'one.wav' }] })
    t.true(JSON.parse(await ran('listFiles')).files.length >= 2)
    t.is(JSON.parse(await ran('getFileStatus')).status, 'completed')
    t.is(JSON.parse(await ran('getBatchStatus')).status, 'completed')
    t.is(JSON.parse(await ran('getFileResult')).file_id, fileId)
    t.is(typeof JSON.parse(await ran('search')).total, 'number')
    t.truthy(JSON.parse(await ran('createTranscription')).text)
    t.is(typeof JSON.parse(await ran('makeApiKey')).key, 'string')
    await ran('continueResumableUpload')
    t.is(JSON.parse(await ran('getResumableUpload')).received_bytes, recording.length)
    await ran('beginResumableUpload')
    t.is(JSON.parse(await ran('listResumableUploads')).count, 2)
    await ran('dropResumableUpload')
    t.is(JSON.parse(await ran('listResumableUploads')).count, 1)
  })

/** Something that no other form answers with. */
const answersToForms: Readonly<Record<string, RegExp>> = {
  text: /^\{"text":"[^"]+","usage":/,
  words: /"words":\[\{"word":"[^"]+","start":[\d.]+/,
  speakers: /"id":"seg_0",.*"speaker":"/,
  certainty: /"logprobs":\[\{"token":/,
  subtitles: /^1\n00:00:0\d,\d{3} --> /,
  stream: /data: \{"type":"transcript\.text\.done"/,
  terms: /^\{"text":"[^"]+","usage":/,
}

for (const language of shownLanguages)
  withTools.serial(`a transcription can be asked for in every form that is shown in ${language}`, async (t) => {
    t.timeout(300_000)
    const page = await thePage()
    const { folder, env } = await aPlace(t)
    t.deepEqual(formsIn(page, 'createTranscription'), Object.keys(answersToForms))
    for (const [form, answer] of Object.entries(answersToForms)) {
      const example = exampleIn(page, { operation: 'createTranscription', language, form })
      t.regex(await ranExample(example, { language, folder, env }), answer, form)
    }
  })

withTools.serial('every example is one that its language can read', async (t) => {
  t.timeout(300_000)
  const page = await thePage()
  const folder = await aFolder(t)
  const operations = Array.from(page.matchAll(/<section id="(\w+)" class="operation">/g), ([, id]) => id ?? '')
  t.true(operations.length > 40)
  const forms = operations.flatMap((operation) => formsIn(page, operation).map((form) => ({ operation, form })))
  t.true(forms.length > operations.length)
  const written = async (language: 'curl' | 'python', { operation, form }: (typeof forms)[number]): Promise<string> => {
    const example = exampleIn(page, { operation, language, form })
    t.true(example.includes('VAAK_URL'), `${language} ${operation} ${form}`)
    const name = `${operation}_${form}.${language === 'curl' ? 'sh' : 'py'}`
    await writeFile(join(folder, name), example)
    return name
  }
  for (const form of forms) {
    await run('bash', ['-n', await written('curl', form)], { cwd: folder })
    await written('python', form)
  }
  await run('python3', ['-m', 'compileall', '-q', folder])
  // what may be awaited at the top of a module may be so in such a function; imports may not stand in one
  const asFunction = Object.getPrototypeOf(async () => undefined).constructor
  for (const { operation, form } of forms) {
    const [, code = ''] =
      /^(?:import [^\n]*\n)?(.*)$/s.exec(exampleIn(page, { operation, language: 'node', form })) ?? []
    t.regex(code, /VAAK_URL/, `${operation} ${form}`)
    t.notThrows(() => asFunction(code), `${operation} ${form}`)
  }
})

test('the collection for Postman and Bruno has every operation once, with the token as a variable', async (t) => {
  const { api } = await scene.aPerson(t)
  const { info, item, variable } = (await api.as(undefined).get('/docs/postman.json')).body
  t.is(info.schema, 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json')
  t.deepEqual(
    variable.map(({ key }: { key: string }) => key),
    ['VAAK_URL', 'VAAK_TOKEN', 'SHARE_LINK'],
  )
  t.is(variable[0].value, scene.service.url)
  const requests = item.flatMap((group: { item: unknown[] }) => group.item) as {
    request: { method: string; url: { raw: string } }
  }[]
  const named = requests.map(
    ({ request }) => `${request.method} ${request.url.raw.replace('{{VAAK_URL}}', '').replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  const { paths } = (await api.get('/openapi.json')).body
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )
  t.deepEqual(named.toSorted(), all.toSorted())
  const share = requests.find(({ request }) => request.url.raw.endsWith('/shared/result'))
  t.like(share?.request, { auth: { type: 'bearer', bearer: [{ value: '{{SHARE_LINK}}' }] } })
})

inBrowser.serial('the page is searched, changes the language of its examples, and fits a phone', async (t) => {
  t.timeout(300_000)
  for (const width of [1_200, 390]) {
    const page = await browser.open(t, `${scene.service.url}/docs`, { viewport: { width, height: 800 } })
    await page.getByLabel('Search the operations').fill('cancel files')
    const found = page.locator('nav li:visible code')
    await becomes(t, () => found.allTextContents(), ['/transcribe/batch/{batch_id}/cancel_files'])
    await page.keyboard.press('Enter')
    await page.waitForURL('**#cancelFiles')
    await page.getByLabel('Search the operations').fill('nobody has this')
    await page.getByText('No operation has these words.').waitFor()
    await page.getByLabel('Search the operations').fill('')
    await page.getByRole('radio', { name: 'Python' }).check()
    await becomes(t, () => page.locator('#listFiles pre:visible').count(), 1)
    t.regex(await page.locator('#listFiles pre:visible').innerText(), /urllib/)
    const shown = page.locator('#createTranscription .form pre:visible')
    await becomes(t, () => shown.count(), 1)
    t.notRegex(await shown.innerText(), /diarized_json/)
    await page.locator('#createTranscription').getByRole('radio', { name: 'who spoke' }).check()
    await becomes(t, () => shown.count(), 1)
    t.regex(await shown.innerText(), /urllib[^]*diarized_json/)
    t.true(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, 'nothing is cut off')
  }
})

for (const colorScheme of ['light', 'dark'] as const)
  inBrowser.serial(`axe finds nothing against the page in ${colorScheme}`, async (t) => {
    t.timeout(300_000)
    const page = await browser.open(t, `${scene.service.url}/docs`, { colorScheme })
    // all are written alike, and axe looks at each for a second
    await page.evaluate(
      `for (const section of document.querySelectorAll('main > section:nth-of-type(n + 4)')) section.remove()`,
    )
    t.deepEqual(await violations(page), [])
  })
