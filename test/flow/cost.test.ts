import test from 'ava'

import { buckets } from '../../infra/nats/topology/topology.ts'
import { tapBroker } from '../support/broker-tap.ts'
import { eventually } from '../support/eventually.ts'
import { isFrozen } from '../support/frozen.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline, uploadRecordings } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

/** As in earnest, but that nobody sweeps and no pull that waits for reports ends meanwhile. */
const unhurried = { NEWS_AFTER_MS: '1000', ACK_WAIT_MS: '600000', STALE_MS: '600000', SWEEP_MS: '600000' }
const longFiles = [40, 120] as const

function leastOfBoth<T extends Readonly<Record<string, number>>>(one: T, other: T): T {
  const least = Object.entries(one).map(([counted, count]) => [counted, Math.min(count, other[counted] ?? count)])
  return Object.fromEntries(least) as T // as: of the same names
}

test('what a file of one chunk and a chunk of a long file ask of the broker does not grow', async (t) => {
  const nats = await aNatsServer(t)
  const { startWorker, api } = await aPipeline(t, nats, unhurried)
  const worker = await startWorker()
  const tap = await tapBroker(await nats.connect())
  /** While it is submitted the worker stands still, so that only its own part is counted. */
  const costOf = async (chunks: number) => {
    const content = aScriptedRecording(scriptedSeconds(chunks))
    worker.signal('SIGSTOP')
    await eventually('the worker is frozen', () => isFrozen(worker.pid))
    const upload = await uploadRecordings(api, [{ name: 'one.wav', content }])
    tap.reset()
    await api.post('/transcribe/batch', { json: { batch_upload_id: upload, deduplicate: false } })
    const submission = { submissionWrites: tap.durableWrites(), submissionReads: tap.count('strong reads') }
    tap.reset()
    worker.signal('SIGCONT')
    await eventually('its batch is closed', () => tap.erased.includes(`KV_${buckets.open}`))
    return {
      ...submission,
      durableWrites: tap.durableWrites(),
      acknowledgements: tap.count('acknowledgements'),
      strongReads: tap.count('strong reads'),
      pulls: tap.count('pulls'),
      streamInfos: tap.count('stream infos'),
      consumersMade: tap.count('consumers made'),
      requests: tap.requests(),
    }
  }
  /** What time brings, a sign of life, a lease, an acknowledgement of before, is not in every run. */
  const leastOf = async (chunks: number, runs: number) => {
    const costs = [await costOf(chunks)]
    while (costs.length < runs) costs.push(await costOf(chunks))
    return costs.reduce(leastOfBoth)
  }
  await costOf(1)
  const file = await leastOf(1, 3)
  t.log(file)
  t.true(file.strongReads <= 2, `${file.strongReads} strong reads`)
  // 6, 1 and 1
  t.true(file.durableWrites <= 8, `${file.durableWrites} durable writes`)
  t.true(file.acknowledgements <= 2, `${file.acknowledgements} acknowledgements`)
  // 9 and 5, with what was once left to the worker
  t.true(file.submissionWrites <= 14, `${file.submissionWrites} durable writes to submit it`)
  t.true(file.submissionReads <= 7, `${file.submissionReads} strong reads to submit it`)
  t.true(file.pulls <= 4, `${file.pulls} pulls`)
  t.is(file.streamInfos, 0)
  t.is(file.consumersMade, 0)
  const [shorter, longer] = [await leastOf(longFiles[0], 2), await leastOf(longFiles[1], 2)]
  const perChunk = (longer.requests - shorter.requests) / (longFiles[1] - longFiles[0])
  t.log(`${perChunk} requests a chunk`)
  t.true(perChunk <= 6, `${perChunk} requests a chunk`)
  t.is(longer.streamInfos, 0)
})
