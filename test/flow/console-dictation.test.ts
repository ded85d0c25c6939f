import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'

import type { Listener } from '../../actors/conversation/ports.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { violations } from '../support/accessibility.ts'
import { aBrowser } from '../support/browser.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway } from '../support/gateway.ts'
import { aNatsServer } from '../support/nats.ts'
import { aListener } from '../support/realtime-fakes.ts'
import { aRealtimeServer } from '../support/realtime-server.ts'
import { aMicrophone } from '../support/talking-page.ts'

const inBrowser = await testWithBrowser()

/** A gateway that passes sessions on to a realtime server, which hears what it is told to, and no end of it before `ends`. */
async function aDictation(t: ExecutionContext, ends = Promise.resolve()): Promise<{ page: Page; url: string }> {
  const listener = endingAfter(ends, Object.assign(aListener(), { follows: 'कल meeting है' }))
  const identify = () => Promise.resolve({ principal: principalOf('test', 'anyone') })
  const realtime = await aRealtimeServer(t, { speech: { listener }, identify })
  const environment = { REALTIME_URL: realtime.httpUrl }
  const gateway = await aGateway(t, await aNatsServer(t), { environment })
  const microphone = await aMicrophone(join(await aFolder(t), 'microphone.wav'), 3)
  const context = await (await aBrowser(t, { microphone })).newContext({ permissions: ['microphone'] })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  page.on('pageerror', (error) => t.fail(error.message))
  await page.goto(`${gateway.url}/#token=${await gateway.tokenOf('asha')}`)
  await page.getByRole('link', { name: 'Dictation' }).click()
  return { page, url: gateway.url }
}

function endingAfter(ends: Promise<void>, listener: Listener): Listener {
  return {
    ...listener,
    follow(options) {
      const turn = listener.follow(options)
      return turn && { ...turn, finish: () => ends.then(() => turn.finish()) }
    },
  }
}

inBrowser.serial(
  'words are seen while they are spoken, changed, and saved as text, as sound, and as a recording with these words',
  async (t) => {
    t.timeout(240_000)
    const { page } = await aDictation(t)
    await page.getByRole('button', { name: 'Start speaking' }).press('Enter')
    await page.locator('.live', { hasText: 'कल' }).waitFor()
    const text = page.getByLabel('What you said')
    await eventually('a turn is over', async () => (await text.inputValue()).startsWith('कल meeting है'))
    t.deepEqual(await violations(page), [])
    await page.locator('button:focus', { hasText: 'Stop' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('button:focus', { hasText: 'Start speaking' }).waitFor()

    await text.fill('परसों meeting है')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the text' }).click(),
    ])
    t.is(await readFile(await download.path(), 'utf8'), 'परसों meeting है')
    const [sound] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the sound' }).click(),
    ])
    const wav = await readFile(await sound.path())
    t.is(wav.readUInt32LE(40), wav.length - 44)
    await text.fill('परसों meeting है। Thanks!')
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/transcribe/batch')),
      page.getByRole('button', { name: 'Keep among the recordings' }).click(),
    ])
    t.is(request.postDataJSON().text, 'परसों meeting है।\nThanks!')
    await page.locator('.card[data-batch] .row', { hasText: 'Dictation' }).waitFor()
  },
)

inBrowser.serial('who stops in mid-sentence has all of it that was said', async (t) => {
  t.timeout(240_000)
  let end = (): void => undefined
  const { page } = await aDictation(t, new Promise((resolve) => (end = resolve)))
  await page.getByRole('button', { name: 'Start speaking' }).click()
  await page.locator('.live', { hasText: 'कल' }).waitFor()
  const text = page.getByLabel('What you said')
  t.is(await text.inputValue(), '', 'the turn is not over')
  await page.getByRole('button', { name: 'Stop' }).click()
  end()
  await eventually('the last words are there', async () => (await text.inputValue()).startsWith('कल meeting है'))
})

inBrowser.serial('without a realtime server the page says what is missing', async (t) => {
  const gateway = await aGateway(t, await aNatsServer(t), { environment: { REALTIME_URL: 'http://127.0.0.1:9' } })
  const microphone = await aMicrophone(join(await aFolder(t), 'microphone.wav'), 3)
  const page = await (await aBrowser(t, { microphone })).newPage()
  await page.goto(`${gateway.url}/#token=${await gateway.tokenOf('asha')}`)
  await page.getByRole('link', { name: 'Dictation' }).click()
  await page.getByRole('button', { name: 'Start speaking' }).click()
  t.regex(await page.getByRole('alert').innerText(), /cannot be reached/)
})
