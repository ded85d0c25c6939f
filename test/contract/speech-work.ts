import { setMaxListeners } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

import type { ExecutionContext, TestFn } from 'ava'

import { FailureError } from '../../actors/failure.ts'
import { chunkAudioKey, chunkResultKey, planKey } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import type { RunOrder, TranscribeSettings } from '../../actors/run/state.ts'
import type { StoredPlan } from '../../actors/transcript/state.ts'
import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import type { SpeechWork, WorkPorts } from '../../infra/speech/work/speech-work.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'
import { anOrder, hearAndStore, settledChunks } from '../support/speech-orders.ts'

interface SpeechWorkCase {
  /** Two chunks at least. */
  readonly speech: Uint8Array
  readonly silence: Uint8Array
  readonly settings: TranscribeSettings
  open(around: WorkPorts): Promise<SpeechWork>
}

const nobody = new AbortController().signal
setMaxListeners(0, nobody) // all tests share it
const remoteUrl = 'https://recordings.example/speech'

/** What cuts, hears and puts together, with or without models, owes the pipeline. */
export function speechWorkContract(test: TestFn, input: () => Promise<SpeechWorkCase>): void {
  test('chunks are numbered in the order of time, and the sound of each is there when they are counted', async (t) => {
    const { blobs, work, order } = await given(t, await input())
    const { total, seconds } = await work.planner.plan(order, nobody)
    t.true(total >= 2)
    const plan: StoredPlan = JSON.parse((await read(blobs, planKey(order))).toString())
    t.is(plan.chunks.length, total)
    t.is(plan.seconds, seconds)
    let before = -1
    for (const [chunk, { start, end }] of plan.chunks.entries()) {
      t.true(start > before && end > start && end <= seconds)
      before = start
      t.is((await read(blobs, chunkAudioKey(order, chunk))).toString('latin1', 0, 4), 'RIFF')
    }
    t.is(await blobs.stat(chunkAudioKey(order, total)), undefined)
  })

  test('planning the same file again gives the same chunks and the same plan, byte for byte', async (t) => {
    const { blobs, work, order } = await given(t, await input())
    const first = await work.planner.plan(order, nobody)
    const keys = [planKey(order), ...Array.from({ length: first.total }, (_, chunk) => chunkAudioKey(order, chunk))]
    const before = await Promise.all(keys.map((key) => read(blobs, key)))
    for (const key of keys) await blobs.remove(key)
    t.deepEqual(await work.planner.plan(order, nobody), first)
    for (const [index, key] of keys.entries()) t.true((await read(blobs, key)).equals(before[index]!), key)
  })

  test('a plan that is stored holds, whatever became of the recording', async (t) => {
    const { blobs, work, order } = await given(t, await input())
    const first = await work.planner.plan(order, nobody)
    await blobs.remove('uploads/speech')
    t.deepEqual(await work.planner.plan(order, nobody), first)
  })

  test('a recording at a URL is fetched and cut like an uploaded one', async (t) => {
    const { blobs, work, order, workFolder, asked } = await given(t, await input())
    const remote = { ...anOrder({ settings: order.settings }), source: { type: 'url', url: remoteUrl } } as const
    const fetched = await work.planner.fetch(remote, nobody)
    if (fetched === undefined || fetched === 'busy')
      return t.fail('there is something to fetch, and nobody else fetches')
    t.deepEqual(await work.planner.plan(remote, nobody, fetched), await work.planner.plan(order, nobody))
    await fetched.drop()
    t.deepEqual(await readdir(workFolder), [])
    t.is(await work.planner.fetch(remote, nobody), undefined, 'what is planned is not fetched again')
    t.deepEqual(asked, [remoteUrl])
    t.true((await read(blobs, planKey(remote))).equals(await read(blobs, planKey(order))))
  })

  test('silence has no chunks, and is put together to an empty transcript', async (t) => {
    const { blobs, work, order, case: these } = await given(t, await input())
    await blobs.put('uploads/speech', { bytes: these.silence })
    const planned = await work.planner.plan(order, nobody)
    t.is(planned.total, 0)
    t.true(planned.seconds > 0)
    const { result, chunks } = await work.assembler.assemble(order, settledChunks(planned), nobody)
    t.like(result, { text: '', language: 'und', segments: [] })
    t.deepEqual(chunks, [])
  })

  test('an upload that is gone is a failure for good', async (t) => {
    const { blobs, work, order } = await given(t, await input())
    await blobs.remove('uploads/speech')
    await terminally(t, work.planner.plan(order, nobody), 'not_found')
  })

  test('what is no recording is a failure for good', async (t) => {
    const { blobs, work, order } = await given(t, await input())
    await blobs.put('uploads/speech', { bytes: Buffer.from('This is a letter, not a recording. '.repeat(50)) })
    await terminally(t, work.planner.plan(order, nobody), 'unsupported_media')
    t.is(await blobs.stat(planKey(order)), undefined)
  })

  test('a recording lies in the work folder only while it is cut, also when that fails or is aborted', async (t) => {
    const { blobs, work, order, workFolder } = await given(t, await input())
    await work.planner.plan(order, nobody)
    await blobs.remove(planKey(order))
    await t.throwsAsync(work.planner.plan(order, AbortSignal.abort(new Error('enough'))), { message: 'enough' })
    const stopping = new AbortController()
    const aborted = work.planner.plan(order, stopping.signal)
    await Promise.resolve()
    stopping.abort(new Error('enough'))
    await t.throwsAsync(aborted, { message: 'enough' })
    await blobs.put('uploads/speech', { bytes: Buffer.from('letter') })
    await t.throwsAsync(work.planner.plan(order, nobody))
    t.is(await blobs.stat(planKey(order)), undefined)
    t.deepEqual(await readdir(workFolder), [])
  })

  test('a chunk is heard the same way again', async (t) => {
    const { work, order } = await given(t, await input())
    await work.planner.plan(order, nobody)
    const hear = () => work.transcriber.transcribe({ ...order, chunk: 1, attempt: 1 }, order.settings, nobody)
    const heard = await hear()
    t.not(heard.text, '')
    t.true(heard.end > heard.start && heard.start > 0)
    t.deepEqual(await hear(), heard)
  })

  test('a chunk whose sound is gone is a failure for good', async (t) => {
    const { blobs, work, order } = await given(t, await input())
    await work.planner.plan(order, nobody)
    await blobs.remove(chunkAudioKey(order, 0))
    const heard = work.transcriber.transcribe({ ...order, chunk: 0, attempt: 1 }, order.settings, nobody)
    await terminally(t, heard, 'not_found')
  })

  test('hearing and putting together end at once when they are aborted', async (t) => {
    const { work, order } = await given(t, await input())
    const planned = await work.planner.plan(order, nobody)
    for (const run of [
      (signal: AbortSignal) => work.transcriber.transcribe({ ...order, chunk: 0, attempt: 1 }, order.settings, signal),
      (signal: AbortSignal) => work.assembler.assemble(order, settledChunks(planned), signal),
    ]) {
      await t.throwsAsync(run(AbortSignal.abort(new Error('never'))), { message: 'never' })
      const stopping = new AbortController()
      const running = run(stopping.signal)
      stopping.abort(new Error('enough'))
      await t.throwsAsync(running, { message: 'enough' })
    }
  })

  test('what the chunks said becomes one transcript, the same for the same chunks', async (t) => {
    const { blobs, work, order } = await given(t, await input())
    const planned = await work.planner.plan(order, nobody)
    const heard = []
    for (let chunk = 0; chunk < planned.total; chunk += 1) heard.push(await hearAndStore(blobs, work, { order, chunk }))
    const transcript = await work.assembler.assemble(order, settledChunks(planned), nobody)
    t.is(
      transcript.result.segments
        .flatMap(({ words }) => words.map(({ word, punctuated_word: form = word }) => form))
        .join(' '),
      said(heard),
    )
    t.false('gaps' in transcript.result)
    t.deepEqual(
      transcript.chunks,
      heard.map(({ heard: _heard, ...summary }, chunk) => ({ chunk, ...summary })),
    )
    const again = await work.assembler.assemble(order, settledChunks(planned), nobody)
    t.is(JSON.stringify(again), JSON.stringify(transcript))
  })

  test('a chunk that failed is a gap with its reason, and the others are there', async (t) => {
    const { blobs, work, order } = await given(t, await input())
    const planned = await work.planner.plan(order, nobody)
    const heard = []
    for (let chunk = 1; chunk < planned.total; chunk += 1) heard.push(await hearAndStore(blobs, work, { order, chunk }))
    const error = { chunk: 0, code: 'worker_lost', message: 'It died again and again.', attempts: 3, atMs: 1 }
    const { result, chunks } = await work.assembler.assemble(order, settledChunks(planned, [error]), nobody)
    t.is(result.gaps?.length, 1)
    t.like(result.gaps![0], { chunk_index: 0, reason: 'It died again and again.' })
    t.true(result.gaps![0]!.end > result.gaps![0]!.start)
    t.deepEqual(
      chunks.map(({ chunk }) => chunk),
      heard.map((_, index) => index + 1),
    )
    t.not(result.text, '')
  })

  test('a result that is gone is a failure for good', async (t) => {
    const { blobs, work, order } = await given(t, await input())
    const planned = await work.planner.plan(order, nobody)
    for (let chunk = 0; chunk < planned.total; chunk += 1) await hearAndStore(blobs, work, { order, chunk })
    await blobs.remove(chunkResultKey(order, 0))
    await terminally(t, work.assembler.assemble(order, settledChunks(planned), nobody), 'not_found')
  })
}

interface Given {
  readonly blobs: Blobs
  readonly work: SpeechWork
  readonly order: RunOrder
  readonly workFolder: string
  /** The URLs that were fetched. */
  readonly asked: readonly string[]
  readonly case: SpeechWorkCase
}

async function given(t: ExecutionContext, these: SpeechWorkCase): Promise<Given> {
  const blobs = await openDiskBlobs({ folder: await aFolder(t), log: aLog() })
  const workFolder = await aFolder(t)
  const asked: string[] = []
  const work = await these.open({
    blobs,
    log: aLog(),
    workFolder,
    fetchRemote: async (url, path) => {
      asked.push(url)
      await writeFile(path, these.speech)
      return { sizeBytes: these.speech.length }
    },
    batch: { size: 1, ageMs: 0 },
  })
  t.teardown(() => work.close())
  await blobs.put('uploads/speech', { bytes: these.speech })
  return { blobs, work, order: anOrder({ settings: these.settings }), workFolder, asked, case: these }
}

async function terminally(t: ExecutionContext, work: Promise<unknown>, code: string): Promise<void> {
  const error = await t.throwsAsync(work, { instanceOf: FailureError })
  t.like(error?.failure, { kind: 'terminal', code })
}

function said(chunks: readonly { readonly text: string }[]): string {
  return chunks.map(({ text }) => text).join(' ')
}

async function read(blobs: Blobs, key: string): Promise<Buffer> {
  return buffer(await blobs.open(key))
}
