import test from 'ava'
import type { Page } from 'playwright-core'

import { violations } from '../support/accessibility.ts'
import { becomes } from '../support/becomes.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aRemoteServer } from '../support/remote.ts'
import { scriptedConsole } from '../support/scripted-console.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** What people say of recordings when they submit them: which part, what is kept beside them, and how they are fetched. */

const inBrowser = await testWithBrowser()
const scene = scriptedConsole(test)
const browser = consoleBrowser(test)
const content = aScriptedRecording(scriptedSeconds(3))

async function choose(page: Page): Promise<void> {
  const file = { name: 'call.wav', mimeType: 'audio/wav', buffer: Buffer.from(content) }
  await page.locator('input[type=file]').setInputFiles([file])
}

async function textOn(page: Page): Promise<string> {
  return (await page.locator('.line p').allInnerTexts()).join(' ').trim()
}

inBrowser.serial('a part of a recording and its metadata are given with it, and come back as text', async (t) => {
  const { address } = await scene.aPerson(t)
  await scene.addWorker()
  const page = await browser.open(t, address)
  await page.getByText('Options').click()
  await page.getByLabel('Only from').fill('0:01')
  await page.getByLabel('Only to').fill('2')
  const hostile = '<img src=x onerror=alert(1)>'
  await page.getByLabel('Metadata').fill(`ticket: A-17\nस्रोत: ${hostile}`)
  t.deepEqual(await violations(page), [])
  await choose(page)
  const row = page.locator('.row', { hasText: 'call.wav' })
  await row.getByText('Done').waitFor()
  const about = `from 0:01 to 0:02 · ticket: A-17 · स्रोत: ${hostile}`
  t.is(await row.locator('.about').innerText(), about)
  await row.getByRole('link').click()
  await becomes(t, () => textOn(page), textsOf(content)[1]!)
  t.is(await page.locator('.heading .about').innerText(), about)
  t.is(await page.locator('.heading img').count(), 0)
  t.deepEqual(await violations(page), [])
})

inBrowser.serial('what makes no sense is said before anything is sent', async (t) => {
  const { address, api } = await scene.aPerson(t)
  const page = await browser.open(t, address)
  await page.getByText('Nothing here yet').waitFor()
  await page.getByText('Options').click()
  const [from, to, metadata] = ['Only from', 'Only to', 'Metadata'].map((label) => page.getByLabel(label))
  const wrong = [
    { field: from!, text: 'soon', reason: '“soon” is no time. Write it as 1:30, 1:02:03, or in seconds.' },
    { field: to!, text: '0', reason: 'The part ends before it begins.' },
    {
      field: metadata!,
      text: 'A-17',
      reason: '“A-17” is no metadata. Write a name, a colon and a value on each line.',
    },
    {
      field: metadata!,
      text: '{"a":',
      reason: '“{"a":” is no metadata. Write a name, a colon and a value on each line.',
    },
    {
      field: metadata!,
      text: `ticket: ${'क'.repeat(1000)}`,
      reason: 'This is more metadata than is kept: at most 2,048 bytes.',
    },
  ]
  for (const { field, text, reason } of wrong) {
    await field.fill(text)
    await choose(page)
    await page.getByRole('alert').getByText(reason, { exact: true }).waitFor()
    t.true(await field.evaluate((node) => node === node.ownerDocument.activeElement))
    await field.fill('')
  }
  t.is((await api.get('/files')).body.total_files, 0)
})

inBrowser.serial(
  'a recording on the web is fetched with the headers that are given, which nobody sees again',
  async (t) => {
    const secret = 'Bearer of-the-house'
    const server = await aRemoteServer(t, (request, response) => {
      const isKnown = request.headers.authorization === secret
      response.writeHead(isKnown ? 200 : 401).end(isKnown ? content : '')
    })
    const environment = { REMOTE_ALLOW_PRIVATE: '127.0.0.1', REMOTE_PORTS: String(server.port) }
    const { api, gateway, addWorker } = await aPipeline(t, await aNatsServer(t), environment)
    await addWorker()
    const page = await browser.open(t, `${api.url}/#token=${await gateway.tokenOf('asha')}`)
    await page.getByText('Recordings on the web').click()
    const [addresses, headers] = ['Addresses, a line each', 'Request headers'].map((label) => page.getByLabel(label))
    const transcribe = page.getByRole('button', { name: 'Transcribe these' })
    const alert = page.getByRole('alert')
    await transcribe.click()
    await alert.getByText('There is no address yet.').waitFor()
    t.deepEqual(await violations(page), [])
    await addresses!.fill(server.url)
    await headers!.fill(secret.replace(' ', '-'))
    await transcribe.click()
    await alert.getByText('is no header').waitFor()
    await headers!.fill('Host: 169.254.169.254')
    await transcribe.click()
    await alert.getByText('Host is not yours to say').waitFor()
    t.deepEqual([(await api.get('/transcribe/batches')).body.batches, server.requests.length], [[], 0])
    await headers!.fill(`Authorization: ${secret}`)
    await transcribe.click()
    const row = page.locator('.row', { hasText: 'call.wav' })
    await row.getByText('Done').waitFor()
    t.is(await page.locator('textarea').count(), 0, 'what was written is not left lying about')
    await row.getByRole('link', { name: 'call.wav' }).click()
    await becomes(t, () => textOn(page), textsOf(content).join(' '))
    await page.getByRole('link', { name: '← Recordings' }).click()
    await page.getByText('Recordings on the web').click()
    t.is(await headers!.inputValue(), '')
    await page.getByRole('link', { name: 'All batches' }).click()
    await page.locator('.batches .card', { hasText: '1 recording' }).getByText('Done').waitFor()
    t.deepEqual(await violations(page), [])
    t.false((await page.content()).includes('of-the-house'))
  },
)
