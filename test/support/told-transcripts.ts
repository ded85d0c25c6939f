import type { Segment, StoredTranscript } from '../../actors/transcript/state.ts'

interface ToldSentence {
  readonly text: string
  readonly speaker?: string
}

const secondsPerWord = 0.5

/** What was said, sentence by sentence, each word for half a second, one after the other. */
export function aToldTranscript(...said: readonly ToldSentence[]): StoredTranscript {
  let at = 0
  const segments = said.map(({ text, speaker = 'speaker-1' }): Segment => {
    const start = at
    const words = text.split(' ').map((written) => {
      const begins = at
      at += secondsPerWord
      const word = written.replaceAll(/[.,?।]/g, '')
      return { word, punctuated_word: written, start: begins, end: at, language: 'en', confidence: 0.8 }
    })
    return {
      start,
      end: at,
      text,
      language: 'en',
      confidence: 0.8,
      words,
      tags: [],
      model: 'a-model',
      speech_information: {
        timestamps: { start, end: at },
        speaker_id: speaker,
        speaker_confidence: 0.9,
        loudness_db: -20,
        pitch_hz: 200,
        syllables_per_second: 4,
      },
    }
  })
  return {
    result: {
      text: segments.map(({ text }) => text).join(' '),
      language: 'en',
      languages: [{ code: 'en', share: 1 }],
      duration_seconds: at,
      segments,
      model: 'a-model',
      script: 'mixed',
      warnings: [],
    },
    spoken: segments.map(({ words }) => words.map(({ word }) => word)),
    punctuated: segments.map(({ words }) => words.map(({ punctuated_word: written = '' }) => written)),
    chunks: [],
  }
}
