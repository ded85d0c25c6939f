import test from 'ava'

import { measureChunk } from '../../../infra/speech/analysis/measure.ts'
import type { TranscribedChunk } from '../../../infra/speech/transcript/transcribed-chunk.ts'
import { assembleStored } from '../../../infra/speech/work/assemble-stored.ts'
import type { StoredParts } from '../../../infra/speech/work/stored-parts.ts'
import { plannedOf } from '../../../infra/speech/work/plan.ts'
import { storedChunkSchema } from '../../../infra/speech/work/schemas.ts'
import { noises } from '../../support/noises.ts'
import { aTranscript, aWord } from '../../support/recognisers.ts'
import { aTone } from '../../support/samples.ts'

const rate = 16_000

test('the order in which results were read does not matter, to the byte', (t) => {
  const parts = someParts(4)
  const expected = JSON.stringify(assembleStored(parts))
  t.is(JSON.stringify(assembleStored({ ...parts, done: parts.done.toReversed() })), expected)
})

test('the transcript has every segment’s speech information, and a summary of each chunk', (t) => {
  const { result, chunks } = assembleStored(someParts(2))
  t.is(result.text, 'word 0 word 1')
  t.true(result.segments.every((segment) => segment.speech_information !== undefined))
  t.deepEqual(result.warnings, ['The file is incomplete.'])
  t.deepEqual(
    chunks.map(({ chunk, text, attempts }) => ({ chunk, text, attempts })),
    [
      { chunk: 0, text: 'word 0', attempts: 2 },
      { chunk: 1, text: 'word 1', attempts: 2 },
    ],
  )
  t.true(chunks.every((chunk) => !('heard' in chunk)))
})

test('chunks that failed are gaps where the plan has them', (t) => {
  const parts = someParts(3)
  const { result } = assembleStored({
    ...parts,
    done: parts.done.filter(({ chunk }) => chunk !== 1),
    failed: [{ chunk: 1, reason: 'It hung.', code: 'deadline', attempts: 3 }],
  })
  t.deepEqual(result.gaps, [{ start: 10, end: 12, chunk_index: 1, reason: 'It hung.' }])
})

test('a receipt says what was heard of, with and as what, also where a chunk failed', (t) => {
  const parts = someParts(2)
  const plan = JSON.parse(Buffer.from(parts.plan).toString())
  const audio = { sha256: 'a'.repeat(64), size_bytes: 5 }
  const models = [{ id: 'one', files: [{ path: 'one.onnx', sha256: 'b'.repeat(64) }] }]
  const stored = { ...storedOf(0), heard: { ...heardOf(0), models } }
  const { receipt, result } = assembleStored({
    ...parts,
    plan: Buffer.from(JSON.stringify({ ...plan, audio })),
    done: [{ chunk: 0, result: Buffer.from(JSON.stringify(stored)) }],
    failed: [{ chunk: 1, reason: 'It hung.', code: 'deadline', attempts: 3 }],
  })
  t.like(receipt, { file_id: 'f', batch_id: 'b', options: { script: 'native' }, audio, models })
  const transcribedAt = new Date(stored.startedAtMs).toISOString()
  t.deepEqual(receipt?.chunks, [
    {
      chunk_index: 0,
      start: 0,
      end: 2,
      status: 'completed',
      attempts: 2,
      models: ['one'],
      transcribed_at: transcribedAt,
    },
    { chunk_index: 1, start: 10, end: 12, status: 'failed', attempts: 3, code: 'deadline' },
  ])
  t.is(receipt?.result.segments.length, result.segments.length)
  t.is(assembleStored(parts).receipt, undefined, 'an older version cut it')
})

test('as many speakers are told apart as the client knows of', (t) => {
  const parts = someParts(3)
  const samples = aTone({ hz: 150, seconds: 2 })
  const done = parts.done.map(({ chunk }) => {
    const measures = measureChunk({ samples, startSeconds: 10 * chunk }, [{ start: 0, end: 2 }], [])
    return {
      chunk,
      result: Buffer.from(JSON.stringify({ ...storedOf(chunk), heard: { ...heardOf(chunk), measures } })),
    }
  })
  const found = (speakers?: number): number => {
    const { segments } = assembleStored({ ...parts, done, speakers }).result
    return new Set(segments.map(({ speech_information: information }) => information!.speaker_id)).size
  }
  t.deepEqual([found(), found(2), found(3)], [1, 2, 3])
})

test('a chunk that the plan does not know is a mistake', (t) => {
  t.throws(
    () =>
      assembleStored({ ...someParts(1), failed: [{ chunk: 7, reason: 'It hung.', code: 'deadline', attempts: 3 }] }),
    {
      message: /1 chunks, none with the number 7/,
    },
  )
})

test('whatever the sound, what was measured in it comes back from storage as it was', (t) => {
  const words = [aWord('one', 0, 1.5), aWord('two', 2, 5.9)]
  for (const [name, audio] of [...Object.entries(noises), ['nothing', () => new Float32Array(0)] as const]) {
    const measures = measureChunk({ samples: audio(), startSeconds: 3 }, words, words)
    const stored = { ...storedOf(0), heard: { ...heardOf(0), measures } }
    t.deepEqual(storedChunkSchema.parse(JSON.parse(JSON.stringify(stored))), stored, name)
  }
})

/** Chunks of two seconds, ten apart. */
function someParts(count: number): StoredParts {
  const numbers = Array.from({ length: count }, (_, chunk) => chunk)
  const plan = {
    seconds: 10 * count,
    channels: 1,
    warnings: ['The file is incomplete.'],
    chunks: numbers.map((chunk) => plannedOf({ ...heardOf(chunk), samples: new Float32Array() })),
  }
  return {
    plan: Buffer.from(JSON.stringify(plan)),
    script: 'native',
    done: numbers.map((chunk) => ({ chunk, result: Buffer.from(JSON.stringify(storedOf(chunk))) })),
    failed: [],
    order: { file_id: 'f', batch_id: 'b', options: { script: 'native' } },
  }
}

function storedOf(chunk: number) {
  const heard = heardOf(chunk)
  const { transcript, model } = heard
  return {
    start: 10 * chunk,
    end: 10 * chunk + 2,
    text: transcript.text,
    language: transcript.language,
    confidence: transcript.confidence,
    model,
    attempts: 2,
    startedAtMs: 1_700_000_000_000,
    tookMs: 12.5,
    heard,
  }
}

function heardOf(index: number): TranscribedChunk {
  const [start, end] = [10 * index * rate, (10 * index + 2) * rate]
  const transcript = aTranscript(`word ${index}`)
  const spoken = [{ start: 0, end: 1 }]
  return {
    chunk: { start, end, ownStart: start, ownEnd: end },
    channel: 0,
    model: 'fake',
    transcript,
    speech: [],
    unheard: [],
    measures: measureChunk({ samples: new Float32Array(2 * rate).fill(0.1), startSeconds: 10 * index }, spoken, []),
  }
}
