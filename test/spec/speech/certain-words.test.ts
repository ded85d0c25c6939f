import test from 'ava'

import { certainCount, withSince } from '../../../infra/speech/engine/live/certain-words.ts'
import type { OpenWord } from '../../../infra/speech/engine/live/certain-words.ts'
import type { Word } from '../../../infra/speech/asr/recogniser.ts'

/** Words of 0.4 seconds each, one after another. */
function wordsOf(text: string, more: Partial<Word> = {}): Word[] {
  const said = text.split(' ')
  return said.map((one, at) => ({
    text: one,
    start: at * 0.4,
    end: (at + 1) * 0.4,
    confidence: 0.9,
    language: 'hi',
    ...more,
  }))
}

/** What several looks transcribed, each with how far the audio went. */
function looks(...heard: readonly (readonly [edge: number, text: string])[]): { words: OpenWord[]; edge: number } {
  let words: OpenWord[] = []
  for (const [edge, text] of heard) words = withSince(wordsOf(text), words, edge)
  return { words, edge: heard.at(-1)![0] }
}

const within = { isPause: false, isBeginning: false }
const beginning = { ...within, isBeginning: true }

test('the first word of a turn is certain as soon as two transcripts agree on it', (t) => {
  t.is(certainCount({ ...looks([1, 'एक दो तीन']), ...beginning }, []), 0)
  t.is(certainCount({ ...looks([1, 'एक दो तीन'], [1.12, 'एक दो तीन']), ...beginning }, []), 1)
})

test('a later word is certain when no transcript has disagreed on it for a while', (t) => {
  t.is(certainCount({ ...looks([1.5, 'एक दो तीन'], [1.7, 'एक दो तीन']), ...within }, []), 0)
  t.is(certainCount({ ...looks([1.5, 'एक दो तीन'], [1.7, 'एक दो तीन'], [1.9, 'एक दो तीन']), ...within }, []), 2)
  t.is(certainCount({ ...looks([1.5, 'एक दो तीन'], [1.7, 'एक दस तीन'], [1.9, 'एक दो तीन']), ...within }, []), 1)
})

test('words that come slowly need no more than two transcripts', (t) => {
  t.is(certainCount({ ...looks([1.5, 'एक दो तीन'], [2, 'एक दो तीन']), ...within }, []), 2)
})

test('what ends close to the end of the audio is not certain, unless a pause follows', (t) => {
  const close = looks([0.95, 'एक दो तीन'], [1, 'एक दो तीन'])
  t.is(certainCount({ ...close, ...beginning }, []), 1)
  t.is(certainCount({ ...looks([0.5, 'एक दो'], [0.6, 'एक दो']), ...beginning }, []), 0)
  t.is(certainCount({ ...looks([0.6, 'एक दो']), ...beginning, isPause: true }, []), 1)
})

test('the last word is never certain', (t) => {
  t.is(certainCount({ ...looks([2, 'एक'], [3, 'एक']), ...beginning }, []), 0)
})

test('a word that somebody else transcribed is another one, even if it is written the same', (t) => {
  const first = withSince(wordsOf('one two three', { language: 'en' }), [], 1.5)
  const again = withSince(wordsOf('One two three', { language: 'en', model: 'other' }), first, 2)
  t.deepEqual(
    again.map(({ since }) => since),
    [2, 2, 2],
  )
  t.is(certainCount({ words: first, edge: 2, ...within }, ['en']), 0)
  t.is(certainCount({ words: again, edge: 2.5, ...within }, ['en']), 2)
})
