import { batchesIn } from './batches.ts'
import { eventually } from './eventually.ts'
import type { Pipeline, Submitted } from './pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from './scripted-speech.ts'
import { ownerOf } from './service.ts'

/** What workers are at when something happens to them, and how it must end. */

export const recordings = [
  {
    name: 'one.wav',
    content: aScriptedRecording([
      ...scriptedSeconds(4),
      { sound: 50, commands: [{ stage: 'hear', act: 'retryable', times: 1 }] },
    ]),
  },
  { name: 'two.wav', content: aScriptedRecording(scriptedSeconds(2, 100)) },
]
/** Smaller than what there is, so that files and chunks are issued bit by bit. */
export const narrow = {
  FILE_WINDOW: '2',
  BATCH_WINDOW: '1',
  QUOTA_FILES: '100',
  REMOTE_ALLOW_PRIVATE: '127.0.0.1',
  REMOTE_PORTS: '9',
  WEBHOOK_MAX_RETRIES: '0',
}
/** Somebody who is to be called at the end, and is not there. */
export const called = { callback_url: 'http://127.0.0.1:9/' }

/** A sweeper has something to look after while it is heard. */
export const slow = aScriptedRecording([{ sound: 60, commands: [{ stage: 'hear', act: 'wait', ms: 6000 }] }])

interface Judge {
  is(actual: unknown, expected: unknown): unknown
  deepEqual(actual: unknown, expected: unknown): unknown
}

export async function endsAsItShould(t: Judge, pipeline: Pipeline, batch: Submitted): Promise<void> {
  const { files } = await batch.finished()
  t.deepEqual(
    files.map((file: { status: string; result: { text: string } }) => [file.status, file.result.text]),
    recordings.map(({ content }) => ['completed', textsOf(content).join(' ')]),
  )
  t.is((await batch.status()).status, 'completed')
  const { quotas, open } = await batchesIn({ nats: pipeline.nats, dataDir: pipeline.dataDir })
  await eventually('the quota is given back and nothing is open', async () => {
    const reserved = (await quotas.read(ownerOf('asha')))?.value.reserved ?? {}
    return Object.keys(reserved).length === 0 && (await open.keys()).length === 0
  })
}
