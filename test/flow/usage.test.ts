import test from 'ava'

import { violations } from '../support/accessibility.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, gatewayEnvironment } from '../support/gateway.ts'
import { aNatsServer } from '../support/nats.ts'
import { submit } from '../support/pipeline.ts'
import { startVaak } from '../support/processes.ts'
import { aClient } from '../support/realtime-server.ts'
import { scriptedConsole } from '../support/scripted-console.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const inBrowser = await testWithBrowser()

const scene = scriptedConsole(test)
const browser = consoleBrowser(test)
const recording = aScriptedRecording(scriptedSeconds(4))

test('what a user stored and had transcribed is added up, for nobody but them', async (t) => {
  await scene.addWorker()
  const { api } = await scene.aPerson(t)
  const other = await scene.aPerson(t)
  const empty = await api.get('/usage')
  t.like(empty.body, { stored: { files: 0, bytes: 0 }, days: [], is_complete: true })
  const files = [
    { name: 'a.wav', content: recording },
    { name: 'b.wav', content: recording },
  ]
  const batch = await submit(api, files, {})
  await batch.finished()
  const { status, body } = await api.get('/usage')
  t.is(status, 200)
  t.like(body.stored, { files: 2, bytes: 2 * recording.length, max_files: 1_000_000 })
  t.like(body.today, { audio_seconds: 8, max_audio_seconds: 3_600_000 })
  t.like(body.days[0], { date: body.today.date, batches: 1, files: 2, audio_seconds: 8, sessions: 0 })
  t.deepEqual((await other.api.get('/usage')).body, empty.body)

  await api.delete(`/transcribe/batch/${batch.batchId}`)
  const { body: after } = await api.get('/usage')
  t.is(after.today.audio_seconds, 8, 'what was spent stays spent')
  t.deepEqual(after.days, [])
})

test('a recording from the web counts as a minute of the day, also when it could not be fetched, and every repetition again', async (t) => {
  const nats = await aNatsServer(t)
  const { api } = await aGateway(t, nats, { dataDir: await aFolder(t) })
  const url = 'https://recordings.example/call.mp3'
  for (const seconds of [60, 120]) {
    const { body: accepted } = await api.post('/transcribe/batch', { json: { sources: [{ url }] } })
    t.is((await api.get('/usage')).body.today.audio_seconds, seconds)
    t.is((await api.post(`/transcribe/batch/${accepted.batch_id}/cancel`)).status, 202)
    t.is((await api.get('/usage')).body.today.audio_seconds, seconds, 'what was spent stays spent')
  }
})

test('realtime sessions that have ended are counted on their day, for nobody but whose they were', async (t) => {
  const nats = await aNatsServer(t)
  const dataDir = await aFolder(t)
  const gateway = await aGateway(t, nats, { dataDir })
  const realtime = startVaak(t, ['realtime'], { ...gatewayEnvironment(nats, { dataDir }), REALTIME_PORT: '0' })
  const url = (await realtime.ready()).replace('http', 'ws')
  for (const _session of [1, 2]) {
    const client = aClient(t, url, { key: await gateway.tokenOf('asha') })
    await client.next('session.created')
    client.socket.close()
    await client.closed
  }
  const { days } = await eventually('both are counted', async () => {
    const { body } = await gateway.api.get('/usage')
    return body.days[0]?.sessions === 2 && body
  })
  t.like(days, [{ batches: 0, files: 0, audio_seconds: 0, sessions: 2 }])
  t.true(days[0].session_seconds >= 0)
  t.deepEqual((await (await gateway.apiOf('bala')).get('/usage')).body.days, [])
})

inBrowser.serial('a person sees what they use, and of how much', async (t) => {
  await scene.addWorker()
  const { address, api } = await scene.aPerson(t)
  const page = await browser.open(t, address)
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByText('Nothing was submitted.').waitFor()
  await (await submit(api, [{ name: 'a.wav', content: recording }], {})).finished()
  await page.reload()
  await page.getByRole('row', { name: /4 seconds 1 1/ }).waitFor()
  t.regex(await page.getByRole('region', { name: 'Submitted today' }).innerText(), /4 seconds[^]*of 1,000 hours/)
  t.deepEqual(await violations(page), [])
})
