import test from 'ava'

import { buckets } from '../../infra/nats/topology/topology.ts'
import { tapBroker } from '../support/broker-tap.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const chunks = 200
const workers = 8
const inVainMax = 0.02

test('eight workers on one file write its record in vain less than twice in a hundred times', async (t) => {
  const nats = await aNatsServer(t)
  const { addWorker, submit } = await aPipeline(t, nats, { ACK_WAIT_MS: '30000', STALE_MS: '60000' })
  await Promise.all(Array.from({ length: workers }, () => addWorker()))
  const tap = await tapBroker(await nats.connect())
  const batch = await submit([{ name: 'long.wav', content: aScriptedRecording(scriptedSeconds(chunks)) }])
  await batch.finished()
  const { writes, conflicts } = tap.writesTo(buckets.runs)
  t.true(writes > 10, 'the tap saw them')
  t.true(conflicts <= writes * inVainMax, `${conflicts} of ${writes}`)
})
