import type { Recogniser, Transcript, Word } from '../../infra/speech/asr/recogniser.ts'
import type { Punctuator } from '../../infra/speech/punctuation/punctuator.ts'

type AskedOfRecogniser = Parameters<Recogniser['transcribe']>[1] & { readonly clips: readonly Float32Array[] }

/** A recogniser that answers what it is told to, and remembers what it was asked. */
export interface FakeRecogniser extends Recogniser {
  readonly asked: readonly AskedOfRecogniser[]
}

export function aRecogniser(
  input: Partial<Pick<Recogniser, 'id' | 'languages' | 'windowSeconds' | 'quietSeconds'>>,
  answer: (clip: Float32Array) => Transcript,
): FakeRecogniser {
  const asked: AskedOfRecogniser[] = []
  return {
    id: 'fake',
    languages: ['hi', 'en'],
    windowSeconds: 28,
    ...input,
    asked,
    transcribe(clips, options) {
      asked.push({ ...options, clips })
      return Promise.resolve(clips.map(answer))
    },
    close: () => Promise.resolve(),
  }
}

/** Words of half a second each, one after the other, unless they are given with their times. */
export function aTranscript(said: string | readonly Word[], input: Partial<Transcript> = {}): Transcript {
  const words = typeof said === 'string' ? wordsIn(said) : said
  const text = words.map((word) => word.text).join(' ')
  return { text, language: 'en', confidence: 0.9, logProb: -0.1, noSpeech: 0, words, flags: [], ...input }
}

export function aWord(text: string, start: number, end: number): Word {
  return { text, start, end, confidence: 0.9 }
}

/** Leaves words as they are. */
export const noPunctuator: Punctuator = {
  punctuate: (words) => Promise.resolve([...words]),
  endChance: () => Promise.resolve(0.5),
  prepare: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

function wordsIn(text: string): Word[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((word, index) => aWord(word, index / 2, (index + 1) / 2))
}
