import test from 'ava'

import type { Transcriber } from '../../actors/chunk/ports.ts'
import { startWorkerActor } from '../../actors/worker/actor.ts'
import type { Wait } from '../../actors/worker/waits.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

/** A worker whose chunks need a model that is there when the test says so; until then it is fetched. */
function aFetchingWorker() {
  const fetched = { wait: undefined as Wait | undefined, end: (): void => undefined }
  const ready = new Promise<void>((resolve) => {
    fetched.end = () => {
      fetched.wait?.done()
      resolve()
    }
  })
  const startActor: typeof startWorkerActor = (ports, options) => {
    const transcriber: Transcriber = {
      async transcribe(work, settings, signal) {
        fetched.wait ??= ports.waits.start('fetching model a-model')
        fetched.wait.update(0.4)
        await ready
        return ports.transcriber.transcribe(work, settings, signal)
      },
    }
    return startWorkerActor({ ...ports, transcriber }, options)
  }
  return { startActor, end: () => fetched.end() }
}

test('a model that is fetched is named while it is, and the batch is said to take as long', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const worker = aFetchingWorker()
  await pipeline.addWorker(noFaults, worker.startActor)
  const batch = await pipeline.submit([{ name: 'a.wav', content: aScriptedRecording(scriptedSeconds(2)) }])
  const waiting = await eventually('it is named', async () => {
    const status = await batch.status()
    return status.waiting_for ? status : undefined
  })
  t.deepEqual(waiting.waiting_for, { what: 'fetching model a-model', percent: 40 })
  t.is(waiting.status, 'processing')
  // two seconds of audio would be heard in no time
  t.true(waiting.estimated_completion_seconds >= 30, String(waiting.estimated_completion_seconds))

  worker.end()
  await batch.finished()
  const ended = await batch.status()
  t.like(ended, { status: 'completed', estimated_completion_seconds: 0, estimated_audio_seconds: 2 })
  t.false('waiting_for' in ended)
})
