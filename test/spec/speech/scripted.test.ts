import { setMaxListeners } from 'node:events'
import { writeFile } from 'node:fs/promises'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import { audioFolder } from '../../../actors/ids.ts'
import type { RunOrder } from '../../../actors/run/state.ts'
import { openScripted } from '../../../infra/speech/scripted/open-scripted.ts'
import type { SpeechWork } from '../../../infra/speech/work/speech-work.ts'
import { aFolder } from '../../support/folder.ts'
import { aLog } from '../../support/log.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../../support/scripted-speech.ts'
import type { ScriptedCommand, ScriptedSecond } from '../../support/scripted-speech.ts'
import { anOrder, hearAndStore, settledChunks } from '../../support/speech-orders.ts'
import { watchedBlobs } from '../../support/watched-blobs.ts'
import type { WatchedBlobs } from '../../support/watched-blobs.ts'

const nobody = new AbortController().signal
setMaxListeners(0, nobody) // all tests share it

test('each second is a chunk, silence is none, and the words follow from the sound', async (t) => {
  const seconds: ScriptedSecond[] = [{ audio: 7 }, 'silence', { audio: 8 }, { audio: 7 }]
  const { blobs, work, order, recording } = await given(t, seconds)
  const planned = await work.planner.plan(order, nobody)
  t.deepEqual(planned, { total: 3, seconds: 4 })
  const texts = []
  for (let chunk = 0; chunk < 3; chunk += 1) texts.push((await hearAndStore(blobs, work, { order, chunk })).text)
  t.deepEqual(texts, textsOf(recording))
  t.not(texts[0], texts[1])
  t.is(texts[0], texts[2])
  for (const script of ['native', 'latin', 'mixed'] as const) {
    const wanted = { ...order, settings: { ...order.settings, script } }
    const { result } = await work.assembler.assemble(wanted, settledChunks(planned), nobody)
    t.is(result.text, texts.join(' '))
    t.is(result.language, 'en')
  }
})

test('recordings of other sound say other words', (t) => {
  const all = [scriptedSeconds(200), scriptedSeconds(200, 40_000)].flatMap((one) => textsOf(aScriptedRecording(one)))
  t.is(new Set(all).size, 400)
})

test('a chunk can fail so many times and then be heard, whichever process hears it', async (t) => {
  const { work, order, again } = await givenOne(t, { stage: 'transcribe', act: 'retryable', times: 2 })
  await work.planner.plan(order, nobody)
  for (const one of [work, await again()])
    t.like(await failureOf(t, transcribed(one, order)), { kind: 'retryable', code: 'overloaded' })
  t.regex((await transcribed(work, order)).text, /^heard \d{15}$/)
})

test('a chunk can fail for good, every time', async (t) => {
  const { work, order } = await givenOne(t, { stage: 'transcribe', act: 'terminal' })
  await work.planner.plan(order, nobody)
  for (let time = 0; time < 3; time += 1) t.like(await failureOf(t, transcribed(work, order)), { kind: 'terminal' })
})

test('a chunk can hang until it is aborted, and can be slow', async (t) => {
  for (const command of [
    { stage: 'transcribe', act: 'hang' },
    { stage: 'transcribe', act: 'wait', ms: 30_000 },
  ] as const) {
    const { work, order } = await givenOne(t, command)
    await work.planner.plan(order, nobody)
    const stopping = new AbortController()
    const heard = transcribed(work, order, stopping.signal)
    setImmediate(() => stopping.abort(new Error('enough')))
    await t.throwsAsync(heard, { message: 'enough' })
  }
})

test('a chunk can be heard differently each time', async (t) => {
  const { work, order, recording } = await givenOne(t, { stage: 'transcribe', act: 'vary' })
  await work.planner.plan(order, nobody)
  const [first, second] = [await transcribed(work, order), await transcribed(work, order)]
  t.true(first.text.startsWith(textsOf(recording)[0]!))
  t.not(first.text, second.text)
})

test('the plan and the putting together can fail too, also when the sound is gone', async (t) => {
  const plan = await givenOne(t, { stage: 'plan', act: 'retryable', times: 1 })
  t.like(await failureOf(t, plan.work.planner.plan(plan.order, nobody)), { kind: 'retryable' })
  t.is((await plan.work.planner.plan(plan.order, nobody)).total, 1)

  const { blobs, work, order } = await givenOne(t, { stage: 'assemble', act: 'retryable', times: 1 })
  const chunks = settledChunks(await work.planner.plan(order, nobody))
  await hearAndStore(blobs, work, { order, chunk: 0 })
  await blobs.removeAll(audioFolder(order))
  t.like(await failureOf(t, work.assembler.assemble(order, chunks, nobody)), { kind: 'retryable' })
  t.not((await work.assembler.assemble(order, chunks, nobody)).result.text, '')
})

test('several commands are done one after the other', async (t) => {
  const { work, order } = await givenOne(
    t,
    { stage: 'transcribe', act: 'retryable', times: 1 },
    { stage: 'transcribe', act: 'terminal', times: 1 },
  )
  await work.planner.plan(order, nobody)
  t.like(await failureOf(t, transcribed(work, order)), { kind: 'retryable' })
  t.like(await failureOf(t, transcribed(work, order)), { kind: 'terminal' })
  t.not((await transcribed(work, order)).text, '')
})

interface Given {
  readonly blobs: WatchedBlobs
  readonly work: SpeechWork
  readonly order: RunOrder
  readonly recording: Uint8Array
  /** As another process would have it. */
  readonly again: () => Promise<SpeechWork>
}

function givenOne(t: ExecutionContext, ...commands: readonly ScriptedCommand[]): Promise<Given> {
  return given(t, [{ audio: 1, commands }])
}

async function given(t: ExecutionContext, seconds: readonly ScriptedSecond[]): Promise<Given> {
  const blobs = watchedBlobs()
  const recording = aScriptedRecording(seconds)
  blobs.stored.set('uploads/speech', recording)
  const workFolder = await aFolder(t)
  const again = async (): Promise<SpeechWork> => {
    const work = await openScripted({
      blobs,
      log: aLog(),
      workFolder,
      fetchRemote: async (_url, path) => {
        await writeFile(path, recording)
        return { sizeBytes: recording.length }
      },
      batch: { size: 1, ageMs: 0 },
    })
    t.teardown(() => work.close())
    return work
  }
  return { blobs, work: await again(), order: anOrder(), recording, again }
}

function transcribed(
  work: SpeechWork,
  order: RunOrder,
  signal = nobody,
): ReturnType<SpeechWork['transcriber']['transcribe']> {
  return work.transcriber.transcribe({ ...order, chunk: 0, attempt: 1 }, order.settings, signal)
}

async function failureOf(t: ExecutionContext, work: Promise<unknown>): Promise<FailureError['failure']> {
  const error = await t.throwsAsync(work, { instanceOf: FailureError })
  return error.failure
}
