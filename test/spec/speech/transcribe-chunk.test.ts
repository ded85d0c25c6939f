import test from 'ava'

import type { Transcript } from '../../../infra/speech/asr/recogniser.ts'
import type { Router } from '../../../infra/speech/asr/router.ts'
import type { ChannelChunk } from '../../../infra/speech/engine/cut.ts'
import { transcribeChunk } from '../../../infra/speech/engine/transcribe-chunk.ts'
import type { ChunkModels } from '../../../infra/speech/engine/transcribe-chunk.ts'
import type { TranscribedChunk } from '../../../infra/speech/transcript/transcribed-chunk.ts'
import { aTranscript, noPunctuator } from '../../support/recognisers.ts'

const suspected: ChannelChunk = {
  chunk: { start: 0, end: 16_000, ownStart: 0, ownEnd: 16_000 },
  channel: 0,
  samples: new Float32Array(16_000),
  speech: [{ start: 0, end: 16_000 }],
  unsure: true,
}
const { unsure: _, ...certain } = suspected

test('of what is only suspected to be speech, words count where the recogniser is sure of them', async (t) => {
  t.is((await heard(suspected, 0.8)).transcript.text, 'good morning')
  const noise = await heard(suspected, 0.2)
  t.deepEqual([noise.transcript.text, noise.transcript.words, noise.speech], ['', [], []])
})

test('of what surely is speech, words in doubt are kept too', async (t) => {
  const { transcript, speech } = await heard(certain, 0.2)
  t.is(transcript.text, 'good morning')
  t.deepEqual(speech, certain.speech)
})

test('the recogniser is told where in its clip there is speech', async (t) => {
  const asked: unknown[] = []
  const chunk = { start: 8000, end: 24_000, ownStart: 8000, ownEnd: 24_000 }
  const parts = modelsThatSay(({ speech }) => {
    asked.push(speech)
    return aTranscript('good morning')
  })
  await transcribeChunk(parts, { ...certain, chunk, speech: [{ start: 9000, end: 20_000 }] }, {})
  t.deepEqual(asked, [[{ start: 1000, end: 12_000 }]])
})

function heard(audio: ChannelChunk, confidence: number): Promise<TranscribedChunk> {
  return transcribeChunk(
    modelsThatSay(() => aTranscript('good morning', { confidence })),
    audio,
    {},
  )
}

function modelsThatSay(answer: (options: Parameters<Router['transcribe']>[1]) => Transcript): ChunkModels {
  return {
    router: {
      transcribe: (_samples, options) => Promise.resolve({ transcript: answer(options), model: 'fake' }),
      close: () => Promise.resolve(),
    },
    punctuator: noPunctuator,
    analyst: {
      measure: () => Promise.resolve({ segments: [], laughing: [] }),
      close: () => Promise.resolve(),
    },
  }
}
