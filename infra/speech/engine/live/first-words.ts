import type { Word } from '../../asr/recogniser.ts'
import { withSince } from './certain-words.ts'
import type { OpenWord } from './certain-words.ts'

/** So sure the first recogniser is of a word that another look would only hear it again… */
const sure = 0.6
/** …and, twice in a row, of one that somebody else would hear better in a moment. */
const sureOfOther = 0.8
/** What ends closer to the end of the audio may go on. */
const edgeSeconds = 0.2

interface FirstLook {
  /** How far the audio went, in seconds. */
  readonly edge: number
  /** As a whole it made little sense: what it is sure of it has to be sure of twice. */
  readonly isDoubtful: boolean
}

/**
 * The first words of a turn, which show that somebody listens: told word by word by how sure the first recogniser is of each. So doubts about
 * what was only half said hold up nothing before it, and nobody waits until English was heard again.
 */
export class FirstWords {
  readonly #again: readonly string[]
  #last: readonly OpenWord[] = []

  /** `again`: languages that somebody else transcribes again. */
  constructor(again: readonly string[]) {
    this.#again = again
  }

  /** How many of them are certain. The last one never is: what follows decides about its mark. */
  certainCount(words: readonly Word[], look: FirstLook): number {
    this.#last = withSince(words, this.#last, look.edge)
    const open = this.#last.findIndex((word) => !this.#isSure(word, look))
    return Math.max(0, Math.min(open < 0 ? words.length : open, words.length - 1))
  }

  #isSure({ end, since, confidence, language }: OpenWord, { edge, isDoubtful }: FirstLook): boolean {
    // only who tells languages apart word by word says how sure it is of each
    if (language === undefined || end > edge - edgeSeconds) return false
    const isOther = this.#again.includes(language)
    const isOnceEnough = !isOther && !isDoubtful
    return confidence >= (isOther ? sureOfOther : sure) && (isOnceEnough || since < edge)
  }
}
