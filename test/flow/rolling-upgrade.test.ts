import type { ExecutionContext } from 'ava'

import type { ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { lastReleaseIsKnown, theLastRelease } from '../support/last-release.ts'
import { submit, submitted } from '../support/pipeline.ts'
import type { SubmittedBatch } from '../support/pipeline.ts'
import { aScriptedRecording, textsOf } from '../support/scripted-speech.ts'
import { testWhere } from '../support/test-where.ts'
import { aClusterOfVersions } from '../support/two-versions.ts'

/** As infra/docs/upgrading.md says it is done, with real processes of both versions on one broker and one storage. */

/** A copy of this repository may come without its history. */
const testWithHistory = await testWhere('an upgrade from the last release', lastReleaseIsKnown, { mustRunInCi: false })

const recordings = (first: number) =>
  Array.from({ length: 4 }, (_, file) => ({
    name: `${first + file}.wav`,
    content: aScriptedRecording(
      Array.from({ length: 5 }, (_second, at) => ({
        audio: first + file * 100 + at,
        commands: [{ stage: 'transcribe' as const, act: 'wait' as const, ms: 150 }],
      })),
    ),
  }))

/** The last version knows nothing of bytes that are the same. */
const asBefore = { deduplicate: undefined }

testWithHistory(
  'gateways and workers are replaced one by one while files are under way, and nothing is lost',
  async (t) => {
    t.timeout(240_000)
    const cluster = await aClusterOfVersions(t)
    const old = { program: await theLastRelease(t) }
    const [oldGateway, oldWorker, doomed] = [
      await cluster.gateway(old),
      await cluster.worker(old),
      await cluster.worker(old),
    ]
    const before = recordings(1_000)
    const first = await submit(oldGateway.api, before, asBefore)
    await eventually('the old version is at it', async () => (await first.status()).files_completed > 0)

    await cluster.migrate()
    const newWorker = await cluster.worker()
    const between = recordings(2_000)
    const second = await submit(oldGateway.api, between, asBefore)
    await doomed.kill9()
    const newGateway = await cluster.gateway()
    const after = recordings(3_000)
    const third = await submit(newGateway.api, after, {})
    t.deepEqual(await oldWorker.stop(), { code: 0, signal: null })
    t.deepEqual(await oldGateway.process.stop(), { code: 0, signal: null })

    const seenByNew = (batch: SubmittedBatch): SubmittedBatch =>
      submitted(newGateway.api, { batch_id: batch.batchId, jobs: [] })
    await allComplete(t, seenByNew(first), before)
    await allComplete(t, seenByNew(second), between)
    await allComplete(t, third, after)
    await cluster.migrate()
    t.is(await cluster.migrate(), 'The broker is as expected.\n')
    t.deepEqual(await newWorker.stop(), { code: 0, signal: null })
  },
)

testWithHistory(
  'what only the new version can do waits until no old worker is left, and nothing else waits for it',
  async (t) => {
    t.timeout(240_000)
    const cluster = await aClusterOfVersions(t)
    const oldWorker = await cluster.worker({ program: await theLastRelease(t) })
    await cluster.migrate()
    const { api } = await cluster.gateway()
    const [secret] = recordings(4_000)
    const redacted = await submit(api, [secret!], { redact: ['phone'] })
    const others = recordings(5_000)
    await allComplete(t, await submit(api, others, {}), others)
    t.is((await redacted.status()).status, 'queued', 'it would not have taken anything out')

    const newWorker = await cluster.worker()
    const more = recordings(6_000)
    await allComplete(t, await submit(api, more, {}), more)
    t.deepEqual(await oldWorker.stop(), { code: 0, signal: null })
    await allComplete(t, redacted, [secret!])
    t.deepEqual(await newWorker.stop(), { code: 0, signal: null })
  },
)

async function allComplete(
  t: ExecutionContext,
  batch: SubmittedBatch,
  given: ReturnType<typeof recordings>,
): Promise<void> {
  const { files } = await batch.finished()
  t.deepEqual(
    files.map((file: ApiAnswer['body']) => [file.status, file.result?.text]),
    given.map(({ content }) => ['completed', textsOf(content).join(' ')]),
  )
}
