import { writingSystemOf } from '../../text/script.ts'
import type { Transcript, Word } from '../recogniser.ts'
import { align } from './align.ts'
import type { AlignedSymbol } from './align.ts'
import { wordConfidence, evidenceOf } from './confidence.ts'
import type { SpelledWord } from './confidence.ts'
import type { LogProbs } from './logits.ts'
import { symbolsText } from './vocabulary.ts'
import type { CtcVocabulary } from './vocabulary.ts'

/** Our models write Hindi in Devanagari and English in Latin letters, whatever is spoken. */
export const ctcLanguages = ['hi', 'en'] as const

/** CTC names a letter at its clearest moment, not for as long as it sounds: words are widened, up to their neighbours. */
const widenSeconds = 0.06

/**
 * A language model finds words in noise if it is let. Where not one letter is clear and those it chose are unlikely,
 * nobody spoke: of real clips none comes near these bounds (at most 0.0001, at least 0.5), of noises and tones none far
 * from them (at least 0.03, at most 0.2).
 */
const guard = { noSpeech: 0.02, confidence: 0.3 }

interface CtcDecoded {
  readonly logProbs: LogProbs
  readonly sequence: readonly number[]
  /** How likely each of them is after those before it, by the language model. */
  readonly textLogProbs: readonly number[]
  readonly secondsAFrame: number
}

export function ctcTranscript(decoded: CtcDecoded, vocabulary: CtcVocabulary): Transcript {
  const { logProbs, sequence, secondsAFrame } = decoded
  const noSpeech = silenceOf(logProbs, vocabulary.blank)
  const groups = byWord(align(logProbs, sequence, vocabulary.blank), decoded, vocabulary.space)
  if (groups.length === 0) return nothing({ noSpeech, flags: ['silent'] })
  const logProb = mean(groups.flatMap(({ letters }) => letters))
  const confidence = Math.exp(logProb)
  if (noSpeech > guard.noSpeech && confidence < guard.confidence) return nothing({ noSpeech, flags: ['no-speech'] })
  const words = groups.map((group) => ({
    ...wordOf(group.letters, vocabulary, secondsAFrame),
    confidence: wordConfidence(evidenceOf(group, logProbs, vocabulary)),
  }))
  return {
    text: symbolsText(vocabulary, sequence),
    language: languageOfMost(words),
    confidence,
    logProb,
    noSpeech,
    words: widened(words, logProbs.frames * secondsAFrame),
    flags: [],
  }
}

/** Sure, to the degree that there is nothing to be heard. */
export function nothing(input: { noSpeech: number; flags: readonly string[] }): Transcript {
  return {
    ...input,
    language: ctcLanguages[0],
    text: '',
    confidence: input.noSpeech,
    logProb: Math.log(input.noSpeech),
    words: [],
  }
}

/** How sure the model is that there is no letter at all: the blank's probability in the frame where it is least likely. */
function silenceOf({ data, frames, symbols }: LogProbs, blank: number): number {
  let least = 0
  for (let frame = 0; frame < frames; frame++) least = Math.min(least, data[frame * symbols + blank]!)
  return Math.exp(least)
}

function byWord(
  aligned: readonly AlignedSymbol[],
  { logProbs, textLogProbs }: Pick<CtcDecoded, 'logProbs' | 'textLogProbs'>,
  space: number,
): SpelledWord[] {
  const groups: { letters: AlignedSymbol[]; textLogProbs: number[] }[] = [{ letters: [], textLogProbs: [] }]
  aligned.forEach((symbol, at) => {
    if (symbol.symbol === space) return groups.push({ letters: [], textLogProbs: [] })
    const group = groups.at(-1)!
    group.letters.push(symbol)
    return group.textLogProbs.push(textLogProbs[at]!)
  })
  const words = groups.filter(({ letters }) => letters.length > 0)
  return words.map((word, at) => ({
    ...word,
    after: words[at - 1]?.letters.at(-1)!.end ?? 0,
    before: words[at + 1]?.letters[0]!.start ?? logProbs.frames,
  }))
}

function wordOf(
  group: readonly AlignedSymbol[],
  vocabulary: CtcVocabulary,
  secondsAFrame: number,
): Omit<Word, 'confidence'> {
  const text = group.map(({ symbol }) => vocabulary.symbols[symbol]).join('')
  return {
    text,
    language: writingSystemOf(text) === 'latin' ? 'en' : 'hi',
    start: group[0]!.start * secondsAFrame,
    end: group.at(-1)!.end * secondsAFrame,
  }
}

function languageOfMost(words: readonly Word[]): string {
  const english = words.filter(({ language }) => language === 'en').length
  return 2 * english > words.length ? 'en' : 'hi'
}

function widened(words: readonly Word[], seconds: number): Word[] {
  return words.map((word, i) => {
    const before = words[i - 1]?.end
    const after = words[i + 1]?.start
    const earliest = before === undefined ? 0 : (before + word.start) / 2
    const latest = after === undefined ? seconds : (word.end + after) / 2
    return {
      ...word,
      start: Math.max(earliest, word.start - widenSeconds),
      end: Math.min(latest, word.end + widenSeconds),
    }
  })
}

function mean(group: readonly AlignedSymbol[]): number {
  return group.reduce((sum, { logProb }) => sum + logProb, 0) / group.length
}
