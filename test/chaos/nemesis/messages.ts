import { setTimeout as pause } from 'node:timers/promises'

import { headers } from 'nats'
import type { Msg } from 'nats'

import { dueSubjects, settledStream, workStreams } from '../../../infra/nats/topology/queue-names.ts'
import type { WorkStream } from '../../../infra/nats/topology/queue-names.ts'
import type { Begun, NemesisScene } from './scene.ts'

const copyHeader = 'Chaos-Copy'
const copyWithinMs = 2000
const lookForMs = 4000
const lookEveryMs = 50
const lostMax = 3

/** Whatever is put into a queue from now on comes a second time, under no id that the broker could know it by. */
export function copyMessages({ observer, random, copied }: NemesisScene): Begun {
  const { connection } = observer
  const waiting = new Set<NodeJS.Timeout>()
  const copy = (message: Msg): void => {
    const marked = headers()
    marked.set(copyHeader, '1')
    copied(message.subject)
    connection.publish(message.subject, message.data, { headers: marked })
  }
  const callback = (error: Error | null, message: Msg): void => {
    if (error || message.headers?.has(copyHeader)) return
    const timer = setTimeout(() => {
      waiting.delete(timer)
      copy(message)
    }, random.below(copyWithinMs))
    waiting.add(timer)
  }
  const subjects = [...Object.values(workStreams).flatMap(dueSubjects), `${settledStream.subject}.*`]
  const subscriptions = subjects.map((subject) => connection.subscribe(subject, { callback }))
  return {
    what: 'all queues',
    end() {
      for (const subscription of subscriptions) subscription.unsubscribe()
      for (const timer of waiting) clearTimeout(timer)
    },
  }
}

/** Waits a while for something that could be lost. */
export async function loseMessages(scene: NemesisScene, pick: number): Promise<Begun> {
  const streams: readonly WorkStream[] = [workStreams.chunks, workStreams.files]
  const deadline = performance.now() + lookForMs
  for (let turn = pick; performance.now() < deadline; turn += 1) {
    // a broker that does not answer has nothing to lose just now
    const lost = await loseFrom(scene, streams[turn % streams.length]!).catch(() => 0)
    if (lost > 0) return { what: `${lost} of ${streams[turn % streams.length]!.name}`, end: () => undefined }
    await pause(lookEveryMs)
  }
  return { what: 'nothing: the queues were empty', end: () => undefined }
}

async function loseFrom({ observer, random, taken }: NemesisScene, stream: WorkStream): Promise<number> {
  const { jsm } = observer
  const infos = await Promise.all(
    dueSubjects(stream).map((filter) => jsm.streams.info(stream.name, { subjects_filter: filter })),
  )
  const subjects = infos.flatMap(({ state }) => Object.keys(state.subjects ?? {}))
  const lost = subjects.filter(() => random.chance(0.5)).slice(0, lostMax)
  for (const subject of lost) {
    // asr.chunk.due-<level>.<lane>.<batch>.<file>.<index>.<chunk>.<attempt>
    const [batchId, fileId, , chunk] = subject.slice(`${stream.subject}.`.length).split('.').slice(2)
    if (stream === workStreams.chunks) taken.add(`${fileId}.${batchId}.${chunk}`)
    await jsm.streams.purge(stream.name, { filter: subject })
  }
  return lost.length
}
