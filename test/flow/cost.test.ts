import test from 'ava'

import { buckets } from '../../infra/nats/topology/topology.ts'
import { tapBroker } from '../support/broker-tap.ts'
import { eventually } from '../support/eventually.ts'
import { isFrozen } from '../support/frozen.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

/** As in earnest, but that nobody sweeps and no pull that waits for reports ends meanwhile. */
const unhurried = { NEWS_AFTER_MS: '1000', ACK_WAIT_MS: '600000', STALE_MS: '600000', SWEEP_MS: '600000' }
const longFiles = [40, 120] as const

test('what a file of one chunk and a chunk of a long file ask of the broker does not grow', async (t) => {
  const nats = await aNatsServer(t)
  const { startWorker, submit } = await aPipeline(t, nats, unhurried)
  const worker = await startWorker()
  const tap = await tapBroker(await nats.connect())
  /** While it is submitted the worker stands still, so that only its own part is counted. */
  const costOf = async (chunks: number) => {
    const content = aScriptedRecording(scriptedSeconds(chunks))
    worker.signal('SIGSTOP')
    await eventually('the worker is frozen', () => isFrozen(worker.pid))
    await submit([{ name: 'one.wav', content }])
    tap.reset()
    worker.signal('SIGCONT')
    await eventually('its batch is closed', () => tap.erased.includes(`KV_${buckets.open}`))
    return {
      durableWrites: tap.durableWrites(),
      acknowledgements: tap.count('acknowledgements'),
      strongReads: tap.count('strong reads'),
      pulls: tap.count('pulls'),
      streamInfos: tap.count('stream infos'),
      consumersMade: tap.count('consumers made'),
      requests: tap.requests(),
    }
  }
  await costOf(1)
  const file = await costOf(1)
  t.log(file)
  // 8, 2, 5 and 1; a worker that says that it lives, a lease or an acknowledgement of before may come between
  t.true(file.durableWrites <= 10, `${file.durableWrites} durable writes`)
  t.true(file.acknowledgements <= 3, `${file.acknowledgements} acknowledgements`)
  t.true(file.strongReads <= 6, `${file.strongReads} strong reads`)
  t.true(file.pulls <= 4, `${file.pulls} pulls`)
  t.is(file.streamInfos, 0)
  t.is(file.consumersMade, 0)
  const [shorter, longer] = [await costOf(longFiles[0]), await costOf(longFiles[1])]
  const perChunk = (longer.requests - shorter.requests) / (longFiles[1] - longFiles[0])
  t.log(`${perChunk} requests a chunk`)
  t.true(perChunk <= 6, `${perChunk} requests a chunk`)
  t.is(longer.streamInfos, 0)
})
