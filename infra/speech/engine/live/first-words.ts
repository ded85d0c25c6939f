import type { Word } from '../../asr/recogniser.ts'
import { withSince } from './certain-words.ts'
import type { OpenWord } from './certain-words.ts'

/** So sure the first recogniser is of a word that another look would only hear it again… */
const sure = 0.6
/** …and, twice in a row, of one that somebody else would hear better in a moment. */
const sureOfOther = 0.8
/** What ends closer to the end of the audio may go on. */
const edgeSeconds = 0.2
/** What looks as long ago as this began with says what the turn begins with… */
const recentSeconds = 0.4
/** …when there were so many that heard anything, and half of them agree. */
const looksLeast = 2
const agreeingShare = 0.5
/** Of what makes less sense nothing is told: it may be noise, or another language. */
const sensibleFrom = 0.3

interface FirstLook {
  /** How far the audio went, in seconds. */
  readonly edge: number
  /** As a whole it made little sense: what it is sure of it has to be sure of twice. */
  readonly isDoubtful: boolean
  /** Of its recogniser in the whole of it, 0 to 1. */
  readonly confidence: number
}

/** What a look began with. */
interface Beginning {
  readonly edge: number
  readonly text: string
}

/**
 * The first words of a turn, which show that somebody listens: told word by word by how sure the first recogniser is of each. So doubts about
 * what was only half said hold up nothing before it, and nobody waits until English was heard again. A first word that it is not sure of goes
 * back and forth between two readings from look to look; to wait for one of them to last makes no more of them right.
 */
export class FirstWords {
  readonly #again: readonly string[]
  #last: readonly OpenWord[] = []
  #beginnings: readonly Beginning[] = []

  /** `again`: languages that somebody else transcribes again. */
  constructor(again: readonly string[]) {
    this.#again = again
  }

  /** How many of them are certain. The last one never is: what follows decides about its mark. */
  certainCount(words: readonly Word[], look: FirstLook): number {
    const [first] = words
    this.#last = withSince(words, this.#last, look.edge)
    if (!first) return 0
    this.#beginnings = [...this.#beginnings, { edge: look.edge, text: lettersOf(first) }].filter(
      ({ edge }) => look.edge - edge < recentSeconds,
    )
    const open = this.#last.findIndex((word) => !this.#isSure(word, look))
    const sureOf = open < 0 ? words.length : open
    const certain = sureOf === 0 && this.#isBeginning(first, look) ? 1 : sureOf
    return Math.min(certain, words.length - 1)
  }

  #isSure(word: OpenWord, { edge, isDoubtful }: FirstLook): boolean {
    if (!isWhole(word, edge)) return false
    const isOther = this.#isOther(word)
    const isOnceEnough = !isOther && !isDoubtful
    return word.confidence >= (isOther ? sureOfOther : sure) && (isOnceEnough || word.since < edge)
  }

  /** Half of the looks of late began with it, however sure they were. */
  #isBeginning(first: Word, { edge, confidence }: FirstLook): boolean {
    const agreeing = this.#beginnings.filter(({ text }) => text === lettersOf(first))
    const isAgreed = this.#beginnings.length >= looksLeast && agreeing.length >= agreeingShare * this.#beginnings.length
    return isAgreed && confidence >= sensibleFrom && isWhole(first, edge) && !this.#isOther(first)
  }

  #isOther({ language }: Word): boolean {
    return language !== undefined && this.#again.includes(language)
  }
}

/** Only who tells languages apart word by word says how sure it is of each. */
function isWhole({ end, language }: Word, edge: number): boolean {
  return language !== undefined && end <= edge - edgeSeconds
}

function lettersOf({ text }: Word): string {
  return text.toLowerCase()
}
