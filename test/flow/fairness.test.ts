import { jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import type { Owner } from '../../actors/ids.ts'
import { startWorkerActor } from '../../actors/worker/actor.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { laneOf, workStreams } from '../../infra/nats/topology/queue-names.ts'
import { eventually } from '../support/eventually.ts'
import { aGate } from '../support/gate.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline, submit } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const manyChunks = 100
const manyBatches = 3
const patient = { WORKER_CHUNK_SLOTS: '1', STALE_MS: '60000', ACK_WAIT_MS: '30000' }

test('who has one chunk waits for a few of another, however many it has and however twenty users hash', async (t) => {
  const nats = await aNatsServer(t)
  const { gateway, addWorker } = await aPipeline(t, nats, patient)
  const [many, ...others] = usersInOneLane(20)
  const long = aScriptedRecording(scriptedSeconds(manyChunks))
  for (let batch = 0; batch < manyBatches; batch += 1)
    await submit(await gateway.apiOf(many!), [{ name: `${batch}.wav`, content: long }], {})
  const short = { name: 'short.wav', content: aScriptedRecording(scriptedSeconds(1)) }
  const small = await Promise.all(others.map(async (user) => submit(await gateway.apiOf(user), [short], {})))

  const gate = aGate('chunk.after-start')
  const begun: Owner[] = []
  await addWorker(gate.faults, (ports, options) => {
    // how chunks are chosen among those that wait: so each has a message, also that of a short file
    const actor = startWorkerActor(ports, { ...options, transcribes: false })
    return {
      ...actor,
      chunk(delivered) {
        begun.push(delivered.work.owner)
        return actor.chunk(delivered)
      },
    }
  })
  const manager = await jetstreamManager(await nats.connect())
  await eventually('a chunk of each waits, or is in hand', async () => {
    const { state } = await manager.streams.info(workStreams.chunks.name, { subjects_filter: '>' })
    const waiting = Object.keys(state.subjects ?? {})
    return small.every(({ batchId }) => waiting.some((subject) => subject.includes(batchId)))
  })
  gate.open()
  await Promise.all(small.map((batch) => batch.finished()))

  const last = Math.max(...others.map((user) => begun.indexOf(ownerOf(user))))
  const waitedFor = begun.slice(0, last).filter((owner) => owner === ownerOf(many!)).length
  t.true(waitedFor <= 15, `they waited for ${waitedFor} of ${manyBatches * manyChunks}`)
})

/** As the development issuer signs them. */
function ownerOf(user: string): Owner {
  return principalOf('vaak:development', user).owner
}

function usersInOneLane(count: number): string[] {
  const users: string[] = []
  for (let number = 0; users.length < count; number += 1)
    if (laneOf(ownerOf(`user-${number}`)) === 0) users.push(`user-${number}`)
  return users
}
