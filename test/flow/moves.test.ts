import { jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import { FailureError } from '../../actors/failure.ts'
import type { Faults } from '../../actors/ports.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { objectsIn } from '../support/on-disk.ts'
import { aPipeline } from '../support/pipeline.ts'
import type { SubmittedBatch } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'
import type { ScriptedCommand } from '../support/scripted-speech.ts'

/** The moves that the specification describes, with real processes, each in both ways of retrying. */

interface Job {
  readonly kind: 'file' | 'chunk'
  readonly chunk_index?: number
  readonly status: string
  readonly attempts: number
}

/** Long enough to be seen, short enough to wait for. */
const pause = '1.2'
const modes = [
  {
    name: 'default mode',
    queues: ['asr_file_queue', 'asr_job_queue'],
    environment: { SEPARATE_RETRY_QUEUES: 'false' },
  },
  {
    name: 'separate mode',
    queues: ['file_retry_queue', 'job_retry_queue'],
    environment: { SEPARATE_RETRY_QUEUES: 'true' },
  },
] as const

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

for (const { name, queues, environment } of modes) {
  const [fileQueue, chunkQueue] = queues
  const slowly = {
    ...environment,
    CHUNK_RETRY_INTERVALS: pause,
    FILE_RETRY_INTERVALS: pause,
    CHUNK_RETRY_INTERVALS_SEPARATE: pause,
  }

  test.serial(`${name}: an accepted batch has one queued job for each input, enqueued on the file queue`, async (t) => {
    const pipeline = await aPipeline(t, nats, environment)
    const batch = await pipeline.submit([recording('a'), recording('b')])
    const { jobs } = await batch.results('?raw=true')
    t.deepEqual(
      jobs.map(({ kind, status }: Job) => [kind, status]),
      [
        ['file', 'queued'],
        ['file', 'queued'],
      ],
    )
    await pipeline.startWorker({ WORKER_MODE: 'file' })
    await eventually('they are taken from the file queue', async () => (await batch.status()).status === 'processing')
  })

  test.serial(
    `${name}: a chunk with a transient error is retrying on ${chunkQueue}, and other jobs are unaffected`,
    async (t) => {
      const pipeline = await aPipeline(t, nats, slowly)
      await pipeline.addWorker()
      const failing = recording('failing', { stage: 'transcribe', act: 'retryable', times: 1 })
      const batch = await pipeline.submit([failing, recording('other')])
      await eventually('the chunk waits for its next attempt', async () => {
        const chunk = await chunkOf(batch, 0)
        return chunk?.status === 'retrying' && (await delayedIn(chunkQueue)) === 1
      })
      const { files } = await batch.finished()
      t.deepEqual(textsIn(files), [textsOf(failing.content).join(' '), textsOf(recording('other').content).join(' ')])
      t.is((await chunkOf(batch, 0))?.attempts, 2)
    },
  )

  test.serial(
    `${name}: a parent with a transient error is retrying on ${fileQueue}, and other jobs are unaffected`,
    async (t) => {
      const pipeline = await aPipeline(t, nats, slowly)
      await pipeline.addWorker()
      const failing = recording('failing', { stage: 'plan', act: 'retryable', times: 1 })
      const batch = await pipeline.submit([failing, recording('other')])
      await eventually('the file waits for its next attempt', async () => {
        const page = await batch.results('?status=retrying')
        return page.count === 1 && page.files[0].filename === 'failing.wav' && (await delayedIn(fileQueue)) === 1
      })
      const { files } = await batch.finished()
      t.deepEqual(textsIn(files), [textsOf(failing.content).join(' '), textsOf(recording('other').content).join(' ')])
    },
  )

  test.serial(
    `${name}: a chunk whose retries are exhausted is failed, completion accounting still advances, and the parent is partial with the merged result of what exists`,
    async (t) => {
      const pipeline = await aPipeline(t, nats, environment)
      await pipeline.addWorker()
      const failing = recording('failing', { stage: 'transcribe', act: 'retryable' })
      const batch = await pipeline.submit([failing])
      const [file] = (await batch.finished()).files
      t.is(file.status, 'partial')
      t.is(file.result.text, textsOf(failing.content).slice(1).join(' '))
      t.deepEqual(
        file.result.gaps.map((gap: { chunk_index: number; start: number; end: number }) => [
          gap.chunk_index,
          gap.start,
          gap.end,
        ]),
        [[0, 0, 1]],
      )
      t.like(file.errors[0], { chunk_index: 0, attempts: 4 })
      t.is((await chunkOf(batch, 0))?.status, 'failed')
    },
  )

  test.serial(
    `${name}: a failure during fan-out marks the parent failed, nothing is enqueued again, and the chunks already enqueued continue to a terminal state`,
    async (t) => {
      const pipeline = await aPipeline(t, nats, environment)
      let enqueued = 0
      const faults: Faults = {
        point(at) {
          if (at === 'issue.after-chunk') enqueued += 1
          const isRefused = at === 'issue.after-chunk' && enqueued === 2
          return isRefused ? Promise.reject(new FailureError(refusal)) : Promise.resolve()
        },
      }
      await pipeline.addWorker(faults)
      const batch = await pipeline.submit([recording('fanning')])
      const [file] = (await batch.finished()).files
      t.is(file.status, 'failed')
      t.is(file.errors[0].code, 'fan_out_failed')
      await eventually('both chunks that were enqueued have ended', async () => {
        const chunks = [await chunkOf(batch, 0), await chunkOf(batch, 1)]
        return chunks.every((chunk) => chunk?.status === 'completed')
      })
      t.is((await batch.results()).files[0].status, 'failed')
      t.is(enqueued, 2)
    },
  )

  test.serial(
    `${name}: jobs that were in flight when their worker died are requeued when the next one starts`,
    async (t) => {
      const pipeline = await aPipeline(t, nats, environment)
      const hanging = recording('hanging', { stage: 'transcribe', act: 'hang', times: 1 })
      const dying = await pipeline.startWorker()
      const batch = await pipeline.submit([hanging])
      await eventually('it is in hand and hangs', async () => {
        const isHanging = (await objectsIn(pipeline.dataDir)).some((path) => path.includes('/scripted/hear-'))
        return isHanging && (await chunkOf(batch, 0))?.status === 'processing'
      })
      await dying.kill9()
      await pipeline.addWorker()
      t.deepEqual(textsIn((await batch.finished()).files), [textsOf(hanging.content).join(' ')])
    },
  )

  test.serial(
    `${name}: a chunk that is orphaned again and again is failed by the recovery of stuck chunks`,
    async (t) => {
      const pipeline = await aPipeline(t, nats, { ...environment, WORKER_DEATHS_MAX: '1' })
      const deadly = recording('deadly', { stage: 'transcribe', act: 'kill', times: 2 })
      const batch = await pipeline.submit([deadly])
      for (let death = 1; death <= 2; death += 1) t.is((await (await pipeline.startWorker()).ended).signal, 'SIGKILL')
      await pipeline.addWorker()
      const [file] = (await batch.finished()).files
      t.is(file.status, 'partial')
      t.like(file.errors[0], { chunk_index: 0, code: 'worker_lost' })
    },
  )
}

const refusal = { kind: 'retryable', code: 'overloaded', detail: 'The test refuses this.' } as const

/** Three chunks; the first is told what to do. */
function recording(name: string, ...commands: readonly ScriptedCommand[]): { name: string; content: Uint8Array } {
  const first = name.length * 100
  return {
    name: `${name}.wav`,
    content: aScriptedRecording([{ audio: first, commands }, ...scriptedSeconds(2, first + 1)]),
  }
}

async function chunkOf(batch: SubmittedBatch, index: number): Promise<Job | undefined> {
  const { jobs } = await batch.results('?raw=true&limit=200')
  return jobs.find((job: Job) => job.kind === 'chunk' && job.chunk_index === index)
}

function textsIn(files: readonly { result: { text: string } }[]): string[] {
  return files.map(({ result }) => result.text)
}

async function delayedIn(queue: string): Promise<number> {
  const manager = await jetstreamManager(await nats.connect())
  const { state } = await manager.streams.info(queue, { subjects_filter: '>' })
  return Object.keys(state.subjects ?? {}).filter((subject) => subject.includes('later')).length
}
