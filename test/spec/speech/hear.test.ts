import test from 'ava'

import type { ChannelChunk } from '../../../infra/speech/engine/cut.ts'
import { transcribeChunk } from '../../../infra/speech/engine/transcribe-chunk.ts'
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

function heard(audio: ChannelChunk, confidence: number): Promise<TranscribedChunk> {
  const transcript = aTranscript('good morning', { confidence })
  return transcribeChunk(
    {
      router: { transcribe: () => Promise.resolve({ transcript, model: 'fake' }), close: () => Promise.resolve() },
      punctuator: noPunctuator,
      analyst: {
        measure: () => Promise.resolve({ segments: [], laughing: [] }),
        close: () => Promise.resolve(),
      },
    },
    audio,
    {},
  )
}
