import type { Word } from '../../infra/speech/asr/recogniser.ts'
import type { TranscribedChunk } from '../../infra/speech/transcript/transcribed-chunk.ts'

/** A second of sound with these words. */
export function aTranscribedChunk({
  words,
  ...more
}: { readonly words: readonly Word[] } & Partial<TranscribedChunk>): TranscribedChunk {
  return {
    chunk: { start: 0, end: 1, ownStart: 0, ownEnd: 1 },
    channel: 0,
    model: 'm',
    transcript: { text: '', language: 'hi', confidence: 1, logProb: 0, noSpeech: 0, words, flags: [] },
    speech: [],
    unheard: [],
    measures: { segments: [], laughing: [] },
    ...more,
  }
}
