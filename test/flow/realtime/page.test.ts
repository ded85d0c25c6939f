import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import type { Listener, TranscribedTurn } from '../../../actors/conversation/ports.ts'
import { createAgent } from '../../../infra/agent/agent.ts'
import { newSessionId } from '../../../infra/ids/session-ids.ts'
import { systemClock } from '../../../infra/timing/clock.ts'
import { ending } from '../../../realtime/close.ts'
import { violations } from '../../support/accessibility.ts'
import { becomes } from '../../support/becomes.ts'
import { testWithBrowser } from '../../support/chromium.ts'
import { aBrowser } from '../../support/browser.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { someKeptSessions } from '../../support/kept-sessions.ts'
import { someVoices } from '../../support/realtime-fakes.ts'
import { aRealtimeRole } from '../../support/realtime-role.ts'
import { aRealtimeServer, identifyGood } from '../../support/realtime-server.ts'
import { someRecordings } from '../../support/session-recordings.ts'
import { aMicrophone } from '../../support/talking-page.ts'
import { writeWav } from '../../support/wav-file.ts'

const inBrowser = await testWithBrowser()

const withinMs = 200_000

/** Waits for a state that the page said since it was asked last, however short it said it. */
async function statesOf(page: Page): Promise<(wanted: string) => Promise<void>> {
  await page.evaluate(`{
    const state = document.querySelector('#state')
    window.states = []
    new MutationObserver(() => window.states.push(state.textContent)).observe(state, { childList: true, subtree: true })
  }`)
  return async (wanted) => {
    const isSaid = `window.states.includes(${JSON.stringify(wanted)})`
    await eventually(`it says ${wanted}`, () => page.evaluate<boolean>(isSaid), withinMs)
    await page.evaluate('window.states = []')
  }
}

inBrowser.serial('on the page an answer is interrupted by speaking, and a tool is called', async (t) => {
  t.timeout(600_000)
  const browser = await aBrowser(t, { microphone: await aMicrophone(join(await aFolder(t), 'microphone.wav'), 8) })
  // what hears and speaks are fakes, so that the test is about turns and not about how fast this machine is
  const { httpUrl } = await aRealtimeServer(t, {
    speech: { answers: createAgent({ clock: systemClock, newId: newSessionId }), voices: someVoices() },
  })
  const page = await (await browser.newContext({ colorScheme: 'light' })).newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  await page.goto(`${httpUrl}/#good`)
  t.is(page.url(), `${httpUrl}/`, 'the token does not stay in the address')
  // 20 seconds of short words, more than twice as long as the microphone is silent: the next sentence falls into it
  await page.getByLabel('Instructions').fill(`Say exactly "${'a '.repeat(200).trim()}"`)
  await page.getByRole('button', { name: 'Start talking' }).click()
  await page.locator('#transcript li.assistant', { hasText: '(interrupted)' }).first().waitFor({ timeout: withinMs })
  await page
    .getByRole('img', { name: /hearing \d+ ms, thinking \d+ ms, voice \d+ ms; in all \d+ ms/ })
    .first()
    .waitFor()

  await page.getByLabel('Or write').fill('Please switch the light on')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('#calls li', { hasText: 'set_light({"state":"on"})' }).first().waitFor({ timeout: withinMs })
  await becomes(t, () => page.locator('#light').textContent(), 'on')

  t.deepEqual(await violations(page), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  t.deepEqual(await violations(page), [])
  const picture = process.env['PAGE_PICTURE']
  if (picture !== undefined) await page.screenshot({ path: picture, fullPage: true })
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Start talking' }).and(page.locator(':enabled')).waitFor()
  t.deepEqual(troubles, [])
})

inBrowser.serial(
  'the page offers every voice by name, keeps the token of its tab, listens again after an answer, and goes on when it was cut off',
  async (t) => {
    t.timeout(600_000)
    // silence: who writes is not interrupted
    const browser = await aBrowser(t, {
      microphone: await writeWav(join(await aFolder(t), 'silence.wav'), new Float32Array(16_000)),
    })
    const { httpUrl, server } = await aRealtimeServer(t, {
      speech: { voices: someVoices() },
      identify: async (credential) => ({ ...(await identifyGood(credential)), keyId: 'key' }),
      kept: someKeptSessions(),
    })
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${httpUrl}/#good`)
    await page.getByRole('option', { name: 'Emma (female)' }).waitFor({ state: 'attached' })
    const voices = ['Asha (female)', 'Ravi (male)', 'Emma (female)']
    await becomes(t, () => page.locator('#voice option').allTextContents(), voices)
    await page.reload()
    await becomes(t, () => page.getByLabel('Token or API key').inputValue(), 'good')
    t.is(page.url(), `${httpUrl}/`)
    const wasSaid = await statesOf(page)

    const listens = page.locator('#state', { hasText: 'Listening. Say something.' })
    await page.getByRole('button', { name: 'Start talking' }).click()
    await listens.waitFor({ timeout: withinMs })
    await page.getByLabel('Or write').fill('hello')
    await page.getByRole('button', { name: 'Send' }).click()
    await wasSaid('Speaking…')
    await listens.waitFor({ timeout: withinMs })
    await page.locator('#transcript li.assistant', { hasText: 'I hear you.' }).waitFor()
    t.is(await page.locator('#trouble').textContent(), '')

    server.endSessionsOf('key', ending('server_restart', 'This server stops now.'))
    await wasSaid('Connecting…')
    await listens.waitFor({ timeout: withinMs })
    await page.getByLabel('Or write').fill('again')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#transcript li.assistant').nth(1).waitFor({ timeout: withinMs })
    await becomes(t, () => page.locator('#transcript li.user').allTextContents(), ['Youhello', 'Youagain'])
    t.is(await page.locator('#trouble').textContent(), '')
  },
)

inBrowser.serial(
  'the page listens only once it has the microphone, and gives it back to who stopped meanwhile',
  async (t) => {
    t.timeout(600_000)
    const browser = await aBrowser(t, {
      microphone: await writeWav(join(await aFolder(t), 'silence.wav'), new Float32Array(16_000)),
    })
    const { httpUrl } = await aRealtimeServer(t, { speech: { voices: someVoices() } })
    const page = await (await browser.newContext()).newPage()
    await page.addInitScript(`{
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    const asked = new Promise((allow) => { window.allowMicrophone = allow })
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      await asked
      return (window.microphone = await ask(wanted))
    }
  }`)
    await page.goto(`${httpUrl}/#good`)
    const state = page.locator('#state')
    await page.getByRole('button', { name: 'Start talking' }).click()
    await page.locator('#events li', { hasText: 'session.created' }).waitFor({ state: 'attached', timeout: withinMs })
    t.is(await state.textContent(), 'Connecting…')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.evaluate('window.allowMicrophone()')
    await eventually(
      'the microphone is given back',
      () => page.evaluate('window.microphone?.getTracks().every((track) => track.readyState === "ended")'),
      withinMs,
    )
    t.is(await state.textContent(), 'Stopped.')

    await page.getByRole('button', { name: 'Start talking' }).click()
    await state.filter({ hasText: 'Listening. Say something.' }).waitFor({ timeout: withinMs })
  },
)

inBrowser.serial('words are on the page while they are being heard', async (t) => {
  t.timeout(600_000)
  const browser = await aBrowser(t, { microphone: await aMicrophone(join(await aFolder(t), 'microphone.wav'), 8) })
  const rest = new EventEmitter()
  const listener: Listener = {
    async transcribe(_, options): Promise<TranscribedTurn> {
      options.tell?.('half a')
      await once(rest, 'heard', { signal: options.signal })
      return { text: 'half a sentence', languages: ['en'], seconds: 1 }
    },
    follow: () => undefined,
    close: () => Promise.resolve(),
  }
  const { httpUrl } = await aRealtimeServer(t, { speech: { listener } })
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${httpUrl}/#good`)
  await page.getByRole('button', { name: 'Start talking' }).click()
  await page.locator('#transcript li.user.live', { hasText: 'half a' }).waitFor({ timeout: withinMs })
  rest.emit('heard')
  await page
    .locator('#transcript li.user:not(.live)', { hasText: 'half a sentence' })
    .first()
    .waitFor({ timeout: withinMs })
  t.pass()
})

inBrowser.serial(
  'on the page one speaks, reads what was said, and hears an answer, with the real models',
  async (t) => {
    t.timeout(600_000)
    const browser = await aBrowser(t, { microphone: await aMicrophone(join(await aFolder(t), 'microphone.wav'), 16) })
    const { url, token } = await aRealtimeRole(t)
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${url}/#${token}`)
    await page.getByLabel('Language you speak').selectOption('en')
    await page.getByRole('button', { name: 'Start talking' }).click()
    const said = (who: string) => page.locator(`#transcript li.${who} span`, { hasText: /\w{3}/ }).first()
    await said('user').waitFor({ timeout: withinMs })
    await said('assistant').waitFor({ timeout: withinMs })
    // not waitForFunction: it evaluates in the page, whose policy forbids that
    await eventually(
      'the loudspeaker plays',
      () => page.evaluate<boolean>('document.querySelector("#spoken").value > 0'),
      withinMs,
    )
    t.pass()
  },
)

for (const colorScheme of ['light', 'dark'] as const)
  inBrowser.serial(`the page says in ${colorScheme} how a chat model is set up, for everyone to read`, async (t) => {
    const browser = await aBrowser(t, { microphone: await aMicrophone(join(await aFolder(t), 'microphone.wav'), 1) })
    const { httpUrl } = await aRealtimeServer(t)
    const page = await (await browser.newContext({ colorScheme })).newPage()
    await page.goto(httpUrl)
    await page.getByRole('region', { name: 'Who answers' }).getByText('LLM_BASE_URL').waitFor()
    t.deepEqual(await violations(page), [])
  })

inBrowser.serial('who keeps a conversation sees that it is recorded, and is led to the recording', async (t) => {
  t.timeout(600_000)
  const browser = await aBrowser(t, { microphone: await aMicrophone(join(await aFolder(t), 'microphone.wav'), 8) })
  const recordings = someRecordings()
  const { httpUrl } = await aRealtimeServer(t, { recordings: { of: () => recordings } })
  const page = await (await browser.newContext({ colorScheme: 'light' })).newPage()
  const sign = page.locator('#recording')
  await page.goto(`${httpUrl}/?console=http://127.0.0.1:8080#good`)
  await page.getByRole('button', { name: 'Start talking' }).click()
  await eventually('it is connected', () => page.locator('#stop').isEnabled(), withinMs)
  t.true(await sign.isHidden())
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByLabel('Keep this conversation').check()
  await page.getByRole('button', { name: 'Start talking' }).click()
  await page.getByText('This conversation is being recorded.').waitFor({ timeout: withinMs })
  t.deepEqual(await violations(page), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  t.deepEqual(await violations(page), [])
  const picture = process.env['KEEP_PICTURE']
  if (picture !== undefined) await page.screenshot({ path: picture })
  await page.getByRole('button', { name: 'Stop' }).click()
  const link = page.getByRole('link', { name: 'open it' })
  const { fileId } = recordings.opened[0]!.recording
  t.is(await link.getAttribute('href'), `http://127.0.0.1:8080/#/file/${fileId}`)
  t.deepEqual(await violations(page), [])
  await eventually('the recording has ended', () => recordings.opened[0]!.isEnded === true)
})

inBrowser.serial('nobody is led from the page to a console of another machine', async (t) => {
  const browser = await aBrowser(t, { microphone: await aMicrophone(join(await aFolder(t), 'microphone.wav'), 8) })
  const recordings = someRecordings()
  const { httpUrl } = await aRealtimeServer(t, { recordings: { of: () => recordings } })
  const page = await browser.newPage()
  await page.goto(`${httpUrl}/?console=https://evil.example/#good`)
  await page.getByLabel('Keep this conversation').check()
  await page.getByRole('button', { name: 'Start talking' }).click()
  await eventually('it was recorded', () => recordings.opened.length > 0, withinMs)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText(recordings.opened[0]!.recording.fileId).first().waitFor({ timeout: withinMs })
  t.is(await page.locator('#recording a').count(), 0)
})
