import test from 'ava'

import { freePort } from '../../infra/process/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { metricsAt } from '../support/metrics.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'

import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const seconds = 40
const recording = aScriptedRecording(scriptedSeconds(seconds))
/** Nothing is counted twice because a slow machine was taken for a dead one. */
const patient = { ACK_WAIT_MS: '60000', STALE_MS: '60000' }
const broken = aScriptedRecording([{ audio: 7, commands: [{ stage: 'plan', act: 'terminal' }] }])

test('what waits, and who is there to do it, is told by a gateway to operators and to users', async (t) => {
  const port = await freePort()
  const { api, submit, startWorker } = await aPipeline(t, await aNatsServer(t), { METRICS_PORT: String(port) })
  const idle = await metricsAt(port)
  t.is(idle.get('vaak_backlog_audio_seconds'), 0)
  t.is(idle.get('vaak_backlog_oldest_seconds'), 0)
  t.is(idle.get('vaak_workers'), 0)
  t.is(idle.get('vaak_queue_messages{kind="file"}'), 0)

  const batch = await submit([{ name: 'waits.wav', content: recording }])
  const { estimated_audio_seconds: left } = await batch.status()
  const busy = await eventually('it is seen to wait', async () => {
    const metrics = await metricsAt(port)
    return metrics.get('vaak_backlog_files') === 1 && metrics
  })
  t.is(busy.get('vaak_backlog_audio_seconds'), left)
  t.true(busy.get('vaak_backlog_seconds_until_idle')! > 0)
  t.true(busy.get('vaak_backlog_oldest_seconds')! >= 0)
  const { status, body } = await api.get('/transcribe/capacity')
  t.is(status, 200)
  t.like(body, { workers: 0, waiting: { files: 1, audio_seconds: left } })
  t.true(body.estimated_seconds_until_idle > 0)

  await startWorker()
  await batch.finished()
  await eventually('nothing waits any more, and there is a worker', async () => {
    const { body: now } = await api.get('/transcribe/capacity')
    return now.waiting.files === 0 && now.workers === 1
  })
  const after = await metricsAt(port)
  t.is(after.get('vaak_backlog_audio_seconds'), 0)
  t.is(after.get('vaak_workers'), 1)
})

test('a worker tells how much it transcribed, how long each stage took, and what it could not decode', async (t) => {
  const port = await freePort()
  const { submit, startWorker } = await aPipeline(t, await aNatsServer(t), patient)
  await startWorker({ WORKER_METRICS_PORT: String(port), WORKER_FILE_SLOTS: '3', WORKER_CHUNK_SLOTS: '5' })
  const batch = await submit(
    [
      { name: 'fine.wav', content: recording },
      { name: 'broken.wav', content: broken },
    ],
    { language: 'hi' },
  )
  await batch.finished()
  // the last acknowledgement is on its way when the batch has ended
  const told = await eventually('all of it has ended', async () => {
    const metrics = await metricsAt(port)
    return metrics.get('vaak_work_seconds_count{stage="assemble"}') === 1 && metrics
  })
  t.is(told.get('vaak_transcribed_audio_seconds_total{language="hi"}'), seconds)
  t.is(told.get('vaak_recordings_refused_total{code="unsupported_media"}'), 1)
  t.is(told.get('vaak_work_seconds_count{stage="plan"}'), 2)
  t.is(told.get('vaak_work_seconds_count{stage="chunk"}'), seconds)
  t.is(told.get('vaak_work_slots{kind="file"}'), 3)
  t.is(told.get('vaak_work_slots{kind="chunk"}'), 5)
  t.is(told.get('vaak_work_slots_taken{kind="chunk"}'), 0)
  t.true(told.get('vaak_transcribing_speed')! > 0)
  t.true(told.has('vaak_nodejs_eventloop_lag_seconds'))
})

test('what an attempt failed at and what was given back is counted apart', async (t) => {
  const port = await freePort()
  const { submit, startWorker } = await aPipeline(t, await aNatsServer(t), patient)
  await startWorker({ WORKER_METRICS_PORT: String(port) })
  const failsOnce = aScriptedRecording([
    ...scriptedSeconds(5),
    { audio: 70_000, commands: [{ stage: 'transcribe', act: 'retryable', times: 1 }] },
  ])
  await (await submit([{ name: 'once.wav', content: failsOnce }])).finished()
  const told = await metricsAt(port)
  t.is(told.get('vaak_work_retries_total{stage="chunk"}'), 1)
  t.is(told.get('vaak_work_left_total{stage="chunk"}'), undefined)
})
