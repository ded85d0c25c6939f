import { readFile } from 'node:fs/promises'

import { marksIn } from '../../../infra/speech/punctuation/marks.ts'
import { createRandom } from '../../sim/random.ts'
import type { Random } from '../../sim/random.ts'
import { inCheckout } from '../../support/checkout.ts'
import type { HeardClip } from './joined.ts'

const wordSeconds = 0.3
const seed = 1

/** Sentences with their marks, as if they had been heard: pauses at most commas, elsewhere small gaps and few hesitations. */
export async function readSentences(file: string): Promise<HeardClip[]> {
  const random = createRandom(seed, 'pauses')
  const text = await readFile(inCheckout('test', 'fixtures', 'text', file), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((said) => ({ said, words: wordsOf(said, random) }))
}

function wordsOf(said: string, random: Random): HeardClip['words'] {
  let at = 0
  return said.split(' ').map((word) => {
    const { bare, mark } = marksIn(word)
    const start = at
    at += wordSeconds + gapAfter(mark, random)
    return { text: bare.toLowerCase(), start, end: start + wordSeconds, confidence: 1, mark }
  })
}

function gapAfter(mark: string, random: Random): number {
  if (mark === ',') return random.chance(0.3) ? 0.02 : 0.1 + 0.3 * random.next()
  return random.chance(0.05) ? 0.2 + 0.4 * random.next() : 0.08 * random.next()
}
