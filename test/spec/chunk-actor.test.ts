import test from 'ava'

import { createQuarantine } from '../../actors/attempt/quarantine.ts'
import { runChunk } from '../../actors/chunk/actor.ts'
import type { ChunkPorts } from '../../actors/chunk/actor.ts'
import type { Transcriber } from '../../actors/chunk/ports.ts'
import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import { away, retryable, terminal } from '../../actors/failure.ts'
import { chunkAudioKey, chunkResultKey, runFolder, runKey } from '../../actors/ids.ts'
import type { Delivered } from '../../actors/ports.ts'
import type { Purge } from '../../actors/purge/state.ts'
import type { RunCommand } from '../../actors/run/protocol.ts'
import { aRef } from '../support/batch-builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import type { MemoryStorage } from '../support/memory-blobs.ts'
import { silentLog } from '../support/silent-log.ts'

const options = { retry: { retriesMax: 1, intervalsMs: [5000] }, deathsMax: 3, saveAudio: false, newsAfterMs: 0 }
const work: ChunkWork = { ...aRef(), chunk: 2, attempt: 1 }
const fine: Transcriber['transcribe'] = async () => ({
  start: 20,
  end: 30,
  text: 'नमस्ते',
  language: 'hi',
  confidence: 1,
  model: 'test',
  heard: null,
})

interface Scene {
  readonly storage: MemoryStorage
  /** Without what the broker takes for the same as one before. */
  readonly told: RunCommand[]
  readonly enqueued: { work: ChunkWork; delayMs: number; isRetry: boolean }[]
  run(more?: Partial<ChunkPorts>, delivered?: Partial<Delivered<ChunkWork>>): Promise<void>
}

function aScene(transcribe: Transcriber['transcribe'] = fine): Scene {
  const storage = aMemoryStorage()
  const told: RunCommand[] = []
  const ids = new Set<string>()
  let marks = 0
  const enqueued: Scene['enqueued'] = []
  const ports: ChunkPorts = {
    transcriber: { transcribe },
    chunkQueue: {
      enqueue: async (again, { delayMs, isRetry }) => {
        enqueued.push({ work: again, delayMs, isRetry })
      },
      outstanding: () => Promise.resolve([]),
    },
    reports: {
      toFile: async (_ref, command, id) => {
        if (ids.has(id)) return
        ids.add(id)
        told.push(command)
      },
      toBatch: () => Promise.resolve(),
    },
    blobs: storage.blobs,
    quarantine: createQuarantine(),
    workerId: 'worker',
    survivals: memoryRecords(),
    purges: memoryRecords(),
    nextMarkId: () => `mark-${(marks += 1)}`,
    pauseAfter: () => Promise.resolve(),
    suspect: () => undefined,
    storageAnswers: () => Promise.resolve(),
    clock: aManualClock(),
    timer: { after: () => () => undefined },
    faults: { point: () => Promise.resolve() },
    log: silentLog,
    orderOf: () => Promise.resolve({ script: 'mixed', channels: 'mix' }),
    transcribed: () => undefined,
  }
  const first = { work, deliveries: 1, signal: new AbortController().signal }
  return {
    storage,
    told,
    enqueued,
    run: (more, delivered) => runChunk({ ports: { ...ports, ...more }, options }, { ...first, ...delivered }),
  }
}

const typesOf = (commands: readonly RunCommand[]): string[] => commands.map(({ type }) => type)

test('a chunk that is heard has its result stored before it is told, and its sound goes', async (t) => {
  const scene = aScene()
  await scene.storage.blobs.put(chunkAudioKey(work, 2), { bytes: Buffer.from('sound') })
  await scene.run()
  t.deepEqual(typesOf(scene.told), ['ChunkStarted', 'ChunkDone'])
  t.deepEqual(scene.storage.keys(), [chunkResultKey(work, 2)])
})

test('a chunk whose result is stored already is told done without being heard again', async (t) => {
  const scene = aScene(() => Promise.reject(new Error('heard again')))
  await scene.storage.blobs.put(chunkResultKey(work, 2), { bytes: Buffer.from('{}') })
  await scene.run({}, { deliveries: 2 })
  t.deepEqual(typesOf(scene.told), ['ChunkDone'])
})

test('of two who hear copies of a chunk each is heard who stored something: its file may be deleted in between', async (t) => {
  const scene = aScene()
  await scene.run()
  await scene.run()
  t.deepEqual(typesOf(scene.told), ['ChunkStarted', 'ChunkDone', 'ChunkDone'])
  await scene.run()
  t.is(scene.told.length, 3, 'who found it stored says nothing new')
  await scene.storage.blobs.removeAll(runFolder(work))
  await scene.run()
  t.deepEqual(typesOf(scene.told).slice(3), ['ChunkDone'])
})

test('a chunk that came again is not heard when its file was deleted while it waited for its turn', async (t) => {
  const scene = aScene(() => Promise.reject(new Error('heard')))
  const orders = [{ script: 'mixed', channels: 'mix' } as const, undefined]
  await scene.run({ orderOf: () => Promise.resolve(orders.shift()) }, { deliveries: 3 })
  t.deepEqual(typesOf(scene.told), ['ChunkStarted', 'Wake'])
  t.deepEqual(scene.storage.keys(), [])
})

test('before a chunk of a redacted file is heard that came again it is promised that its file looks once more what is left', async (t) => {
  for (const [redact, deliveries, promised] of [
    [['name'], 2, [runKey(work)]],
    [['name'], 1, []],
    [undefined, 2, []],
  ] as const) {
    const purges = memoryRecords<Purge>()
    const orderOf: ChunkPorts['orderOf'] = async () => ({ script: 'mixed', channels: 'mix', ...(redact && { redact }) })
    await aScene().run({ purges, orderOf }, { deliveries })
    t.deepEqual(await purges.keys(), promised)
  }
})

test('a transient failure enqueues the next attempt after its pause, and the file is told', async (t) => {
  const scene = aScene(() => Promise.reject(retryable('overloaded', 'Come back later.')))
  await scene.run()
  t.deepEqual(scene.enqueued, [{ work: { ...work, attempt: 2 }, delayMs: 5000, isRetry: true }])
  t.deepEqual(typesOf(scene.told), ['ChunkStarted', 'ChunkRetrying'])
})

for (const code of ['storage_unavailable', 'models_unavailable', 'disk_full'] as const)
  test(`a chunk that meets ${code} is left as it is: neither an attempt nor a death`, async (t) => {
    const gone = away(code, 'Away.')
    const before = aScene()
    const stat = (): Promise<never> => Promise.reject(gone)
    t.is(await t.throwsAsync(before.run({ blobs: { ...before.storage.blobs, stat } }, { deliveries: 42 })), gone)
    const during = aScene(() => Promise.reject(gone))
    t.is(await t.throwsAsync(during.run({}, { work: { ...work, attempt: 2 }, deliveries: 42 })), gone)
    t.deepEqual([...before.enqueued, ...during.enqueued], [])
    t.deepEqual(typesOf([...before.told, ...during.told]), ['ChunkStarted'])
    t.deepEqual(during.storage.keys(), [])
  })

test('a chunk whose time is over has failed, unless storage does not answer at that moment', async (t) => {
  const late = retryable('deadline_exceeded', 'It took too long.')
  const gone = away('storage_unavailable', 'It says nothing.')
  for (const answer of [undefined, gone]) {
    const time = new AbortController()
    const scene = aScene(() => {
      time.abort(late)
      return Promise.reject(late)
    })
    const storageAnswers = (): Promise<void> => (answer ? Promise.reject(answer) : Promise.resolve())
    const running = scene.run({ storageAnswers }, { signal: time.signal })
    if (answer) t.is(await t.throwsAsync(running), gone)
    else await running
    t.is(scene.enqueued.length, answer ? 0 : 1)
  }
})

test('the last attempt that fails is told as failed', async (t) => {
  const scene = aScene(() => Promise.reject(retryable('overloaded', 'Come back later.')))
  await scene.run({}, { work: { ...work, attempt: 2 } })
  t.deepEqual(scene.enqueued, [])
  t.like(scene.told.at(-1), { type: 'ChunkFailed', error: { code: 'overloaded', attempts: 2 } })
})

test('who fails for good while another has stored the result tells that it is done', async (t) => {
  const scene = aScene(async () => {
    await scene.storage.blobs.put(chunkResultKey(work, 2), { bytes: Buffer.from('{}') })
    throw terminal('not_found', 'Its sound is gone.')
  })
  await scene.run()
  t.deepEqual(typesOf(scene.told), ['ChunkStarted', 'ChunkDone'])
})

test('a chunk of a file that is gone is not heard, and when it came again the file clears away what is left', async (t) => {
  const scene = aScene(() => Promise.reject(new Error('heard')))
  const orderOf = (): Promise<undefined> => Promise.resolve(undefined)
  await scene.run({ orderOf })
  t.deepEqual(scene.told, [])
  await scene.run({ orderOf }, { deliveries: 2 })
  t.deepEqual(scene.told, [{ type: 'Wake' }])
})

test('a chunk that was settled without its message has its file look what is owed, since who settled it may have died of that', async (t) => {
  const scene = aScene(() => Promise.reject(new Error('heard')))
  await scene.run({ orderOf: () => Promise.resolve('settled') })
  t.deepEqual(scene.told, [{ type: 'Wake' }])
})

test('a chunk whose file does not know yet that it was cut is handed back, and when it came again the file looks for its cut', async (t) => {
  const scene = aScene()
  const orderOf = () => Promise.resolve('early' as const)
  for (const [deliveries, told] of [
    [1, []],
    [2, ['Wake']],
  ] as const) {
    await t.throwsAsync(scene.run({ orderOf }, { deliveries }), { message: /does not know yet/ })
    t.deepEqual(typesOf(scene.told), told)
  }
})

test('who leaves a chunk that another has ended meanwhile asks the file to clear away what came late', async (t) => {
  const gone = away('storage_unavailable', 'Away.')
  const order = { script: 'mixed', channels: 'mix' } as const
  for (const [orders, told] of [
    [[order, order], ['ChunkStarted']],
    [
      [order, undefined],
      ['ChunkStarted', 'Wake'],
    ],
  ] as const) {
    const scene = aScene(() => Promise.reject(gone))
    const answers = [...orders]
    t.is(await t.throwsAsync(scene.run({ orderOf: () => Promise.resolve(answers.shift()) })), gone)
    t.deepEqual(typesOf(scene.told), told)
  }
})

test('a broker that is away, and a worker that must stop, leave the chunk to another', async (t) => {
  const scene = aScene()
  const silent = {
    toFile: () => Promise.reject(away('broker_unavailable', 'Away.')),
    toBatch: () => Promise.resolve(),
  }
  await t.throwsAsync(scene.run({ reports: silent }))
  const controller = new AbortController()
  const stopping = aScene((_work, _settings, signal) => {
    controller.abort(new Error('stop'))
    return Promise.reject(signal.reason)
  })
  await t.throwsAsync(stopping.run({}, { signal: controller.signal }), { message: 'stop' })
  t.deepEqual([scene.enqueued, stopping.enqueued], [[], []])
})
