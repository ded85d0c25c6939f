import type { Word } from '../asr/recogniser.ts'
import { writingSystemOf } from '../text/script.ts'
import { writeLetters } from './capitals.ts'
import type { Chances } from './chances.ts'
import { marksIn } from './marks.ts'
import type { Marked } from './marks.ts'
import { asks } from './questions.ts'

/** Bars that `npm run bench -- punctuation` chose: see there for what each of them finds and misses. */
export interface Bars {
  /** How likely an end must be after a pause, and without one. */
  readonly end: number
  readonly endWithoutPause: number
  readonly comma: number
  /** How likely an end must be a question where the wording asks, and where it does not. */
  readonly asking: number
  readonly notAsking: number
}

export const defaultBars: Bars = { end: 0.35, endWithoutPause: 0.7, comma: 0.5, asking: 0.2, notAsking: 0.95 }

/** Words that follow each other closer than this were said in one breath. */
const pauseSeconds = 0.15
/** An end that a recogniser wrote itself stands when it is at least this likely, or followed by a pause. */
const plausible = 0.1

export type Mark = Marked['mark']

interface Heard extends Marked {
  readonly word: Word
  readonly chances: Chances
  readonly script: 'devanagari' | 'latin' | 'other'
  /** Silence after it; the last word is followed by nothing but silence. */
  readonly pause: number
  /** Whether its recogniser writes marks and capitals. */
  readonly isMarked: boolean
  /** The mark of a word that was written before, and stays as it is. */
  readonly given: Mark | undefined
}

/** Every word with its written form; what has one keeps its mark. The last one always ends a sentence. */
export function writeWords(words: readonly Word[], chances: readonly Chances[], bars = defaultBars): Word[] {
  const heard = heardWords(words, chances)
  const marks = heard.map((_, at) => markAfter(heard, at, bars))
  return sentencesIn(heard, marks).flatMap(({ from, to, mark }) => {
    const sentence = heard.slice(from, to)
    const end = endMark(sentence, mark, bars)
    return sentence.map((one, at) => {
      const isLast = at === sentence.length - 1
      const letters = writeLetters(one, { before: sentence[at - 1], after: sentence[at + 1] })
      return { ...one.word, text: one.bare, written: withMark(letters, isLast ? end : marks[from + at]!) }
    })
  })
}

function heardWords(words: readonly Word[], chances: readonly Chances[]): Heard[] {
  const read = words.map((word, at) => {
    const marked = marksIn(word.text)
    const next = words[at + 1]
    const pause = next ? next.start - word.end : Infinity
    const given = word.written === undefined ? undefined : marksIn(word.written).mark
    return { ...marked, word, chances: chances[at]!, script: kindOf(marked.bare), pause, isMarked: false, given }
  })
  // one mark or capital tells that all words around it, of the same script, come from a recogniser that writes them
  for (let from = 0; from < read.length;) {
    const end = read.findIndex(({ script }, at) => at > from && script !== read[from]!.script)
    const run = read.slice(from, end < 0 ? undefined : end)
    const isMarked = run.some(({ mark, bare }) => mark !== '' || /\p{Lu}/u.test(bare))
    for (const one of run) one.isMarked = isMarked
    from += run.length
  }
  return read
}

function kindOf(word: string): Heard['script'] {
  const script = writingSystemOf(word)
  if (script === 'devanagari') return script
  return script === 'latin' || script === 'none' ? 'latin' : 'other'
}

function markAfter(heard: readonly Heard[], at: number, bars: Bars): Mark {
  const { mark, chances, pause, script, isMarked, given } = heard[at]!
  if (given !== undefined) return given
  const next = heard[at + 1]
  if (!next) return mark === '' || mark === ',' ? '.' : mark
  // the model knows two scripts, and of these the recogniser's own commas are better than its
  if (script === 'other' || (mark === ',' && next.script === script)) return mark
  const own = mark === ',' ? '' : mark
  const end = chances.stop + chances.question
  const isPause = pause >= pauseSeconds
  // what stands last in a stretch was last in its clip too, and got its full stop for that alone
  if (own !== '' && next.script === script && (isPause || end >= plausible)) return own
  const isTrusted = isMarked && script === 'latin' && next.script === script
  if (end >= (isPause && !isTrusted ? bars.end : bars.endWithoutPause)) return own === '' ? '.' : own
  return chances.comma >= bars.comma && !isTrusted ? ',' : ''
}

interface Sentence {
  readonly from: number
  readonly to: number
  readonly mark: Mark
}

function sentencesIn(heard: readonly Heard[], marks: readonly Mark[]): Sentence[] {
  const sentences: Sentence[] = []
  let from = 0
  heard.forEach((_, at) => {
    if (marks[at] === '' || marks[at] === ',') return
    sentences.push({ from, to: at + 1, mark: marks[at]! })
    from = at + 1
  })
  return sentences
}

function endMark(sentence: readonly Heard[], mark: Mark, bars: Bars): string {
  if (mark === '!' || mark === '?') return mark
  const { stop, question } = sentence.at(-1)!.chances
  const isAsking = asks(sentence.map(({ bare }) => bare.normalize('NFC').toLowerCase()))
  const isQuestion = question / (stop + question) >= (isAsking ? bars.asking : bars.notAsking)
  if (isQuestion && !sentence.at(-1)!.isMarked) return '?'
  return isHindi(sentence) ? '।' : '.'
}

/** By its last word, or by most of its words. */
function isHindi(sentence: readonly Heard[]): boolean {
  const hindi = sentence.filter(({ script }) => script === 'devanagari').length
  return sentence.at(-1)!.script === 'devanagari' || 2 * hindi >= sentence.length
}

/** The dot of an abbreviation is dot enough. */
function withMark(letters: string, mark: string): string {
  return mark === '.' && letters.endsWith('.') ? letters : letters + mark
}
