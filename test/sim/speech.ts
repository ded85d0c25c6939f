import { members } from '../../actors/bitset.ts'
import type { Transcriber } from '../../actors/chunk/ports.ts'
import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import { retryable, terminal } from '../../actors/failure.ts'
import { chunkAudioKey, chunkResultKey, runKey, planKey } from '../../actors/ids.ts'
import type { RunRef } from '../../actors/ids.ts'
import type { Assembler, Planner } from '../../actors/run/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { Segment, StoredChunk, StoredTranscript } from '../../actors/transcript/state.ts'
import { nameOf } from './oracle.ts'
import type { Platform } from './platform-parts.ts'
import { recordingOf } from './scenario.ts'
import type { Behaviour } from './scenario.ts'
import type { Process } from './world.ts'

interface SimSpeech {
  readonly planner: Planner
  readonly transcriber: Transcriber
  readonly assembler: Assembler
}

/** Does to its process what the recording says. No two hearings of a chunk give the same text, as with real recognisers. */
export function speechFor(platform: Platform, process: Process): SimSpeech {
  const { scenario, objects, oracle } = platform
  const blobs = objects.portFor(process)
  const doAs = (behaviour: Behaviour, signal: AbortSignal): Promise<void> =>
    behave(platform, process, { behaviour, signal })

  return {
    planner: {
      fetch: () => Promise.resolve(undefined),
      async plan(order, signal) {
        const recording = recordingOf(scenario, order.fileId)
        if (order.source.type === 'upload') await blobs.read(order.source.key)
        await oracle.working(process, `plan ${runKey(order)}`, () => doAs(recording.plan, signal))
        for (const chunk of recording.chunks.keys())
          await blobs.put(chunkAudioKey(order, chunk), { bytes: Buffer.from(`sound ${chunk}`) })
        await blobs.put(planKey(order), { bytes: Buffer.from(`${recording.chunks.length} chunks`) })
        return { total: recording.chunks.length, seconds: recording.chunks.length * 10 }
      },
    },
    transcriber: {
      async transcribe(work, _settings, signal) {
        const on = nameOf(work)
        return oracle.working(process, on, async () => {
          const text = `${work.chunk}/${oracle.tries.get(on)}`
          await blobs.read(chunkAudioKey(work, work.chunk))
          await doAs(recordingOf(scenario, work.fileId).chunks[work.chunk] ?? 'refused', signal)
          return heard(work, text)
        })
      },
    },
    assembler: {
      async assemble(order, chunks, signal) {
        const step = `assemble ${runKey(order)}`
        await oracle.working(process, step, () => doAs(recordingOf(scenario, order.fileId).assemble, signal))
        const texts: string[] = []
        for (const chunk of members(chunks.done)) {
          const stored: StoredChunk = JSON.parse(await blobs.read(chunkResultKey(order, chunk)))
          texts.push(`${chunk}:${stored.text}`)
        }
        return transcriptOf(order, texts)
      },
    },
  }
}

/** Takes a moment and then does to its process what was asked for. */
export async function behave(
  { world }: Pick<Platform, 'world'>,
  process: Process,
  { behaviour, signal }: { readonly behaviour: Behaviour; readonly signal: AbortSignal },
): Promise<void> {
  const { random } = world
  await world.sleep(process, random.between(5, 200))
  if (behaviour === 'hanging') await aborted(signal)
  signal.throwIfAborted()
  if (behaviour === 'deadly') {
    world.count('deadly recording')
    world.crash(process, 'killed by a recording')
    await new Promise(() => undefined)
  }
  if (behaviour === 'refused') throw terminal('unsupported_media', 'This is no sound.')
  if (behaviour === 'flaky' && random.chance(0.4)) throw retryable('overloaded', 'Come back later.')
  if (behaviour === 'puzzling' && random.chance(0.4)) throw new Error('nobody foresaw this')
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function heard({ chunk }: ChunkWork, text: string): Omit<StoredChunk, 'attempts' | 'startedAtMs' | 'tookMs'> {
  return {
    start: chunk * 10,
    end: chunk * 10 + 10,
    text,
    language: 'hi',
    confidence: 1,
    model: 'simulated',
    heard: null,
  }
}

function transcriptOf(order: RunState | RunRef, texts: readonly string[]): StoredTranscript {
  return {
    result: {
      text: texts.join(' '),
      language: 'hi',
      languages: [{ code: 'hi', share: 1 }],
      duration_seconds: order.index,
      segments: texts.map((text, at) => segmentOf(text, at * 10)),
      model: 'simulated',
      script: 'mixed',
      warnings: [],
    },
    chunks: [],
  }
}

function segmentOf(word: string, start: number): Segment {
  const said = { start, end: start + 10, language: 'hi', confidence: 1 }
  return { text: word, words: [{ word, ...said }], tags: [], model: 'simulated', ...said }
}
