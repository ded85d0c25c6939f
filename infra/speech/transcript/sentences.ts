import type { Word } from '../asr/recogniser.ts'
import { endsSentence } from '../punctuation/marks.ts'

/** Words that belong together: what a reader would call a sentence, or as much of one as was said in a breath. */

/** A pause after which a new segment begins. */
const breakSeconds = 0.7
/** After this long the next small pause will do. */
const longSeconds = 15
const smallPauseSeconds = 0.15
/** A full stop this early is an abbreviation or a stutter. */
const shortestSentence = 2

export function sentencesOf<Spoken extends Word>(words: readonly Spoken[]): Spoken[][] {
  const sentences: Spoken[][] = []
  for (const word of words) {
    const sentence = sentences.at(-1)
    if (!sentence || isBreak(sentence, word)) sentences.push([word])
    else sentence.push(word)
  }
  return sentences
}

function isBreak(sentence: readonly Word[], next: Word): boolean {
  const last = sentence.at(-1)!
  const pause = next.start - last.end
  if (pause >= breakSeconds) return true
  if (endsSentence(last.written ?? last.text) && sentence.length >= shortestSentence) return true
  return last.end - sentence[0]!.start >= longSeconds && pause >= smallPauseSeconds
}
