import type { Transcript, Word } from '../recogniser.ts'
import { align } from './align.ts'
import type { AlignedSymbol } from './align.ts'
import type { LogProbs } from './logits.ts'
import { textOf } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** CTC names a letter at its clearest moment, not for as long as it sounds: words are widened, up to their neighbours. */
const widenSeconds = 0.06

/**
 * A language model finds words in noise if it is let. Where not one letter is clear and those it chose are unlikely,
 * nobody spoke: of real clips none comes near these bounds (at most 0.0001, at least 0.5), of noises and tones none far
 * from them (at least 0.03, at most 0.2).
 */
const guard = { noSpeech: 0.02, confidence: 0.3 }

export interface Decoded {
  readonly logProbs: LogProbs
  readonly sequence: readonly number[]
  readonly secondsAFrame: number
  readonly language: string
}

export function transcriptOf(decoded: Decoded, vocabulary: Vocabulary): Transcript {
  const { logProbs, sequence, secondsAFrame, language } = decoded
  const noSpeech = silenceOf(logProbs, vocabulary.blank)
  const groups = byWord(align(logProbs, sequence, vocabulary.blank), vocabulary.space)
  if (groups.length === 0) return nothing({ language, noSpeech, flags: [] })
  const logProb = mean(groups.flat())
  const confidence = Math.exp(logProb)
  if (noSpeech > guard.noSpeech && confidence < guard.confidence)
    return nothing({ language, noSpeech, flags: ['no-speech'] })
  const words = groups.map((group) => wordOf(group, vocabulary, secondsAFrame))
  return {
    text: textOf(vocabulary, sequence),
    language,
    confidence,
    logProb,
    noSpeech,
    words: widened(words, logProbs.frames * secondsAFrame),
    flags: [],
  }
}

/** Sure, to the degree that there is nothing to be heard. */
export function nothing(of: { language: string; noSpeech: number; flags: readonly string[] }): Transcript {
  return { ...of, text: '', confidence: of.noSpeech, logProb: Math.log(of.noSpeech), words: [] }
}

/** How sure the model is that there is no letter at all: the blank's probability in the frame where it is least likely. */
function silenceOf({ data, frames, symbols }: LogProbs, blank: number): number {
  let least = 0
  for (let frame = 0; frame < frames; frame++) least = Math.min(least, data[frame * symbols + blank]!)
  return Math.exp(least)
}

function byWord(aligned: readonly AlignedSymbol[], space: number): AlignedSymbol[][] {
  const groups: AlignedSymbol[][] = [[]]
  for (const symbol of aligned)
    if (symbol.symbol === space) groups.push([])
    else groups.at(-1)!.push(symbol)
  return groups.filter((group) => group.length > 0)
}

function wordOf(group: readonly AlignedSymbol[], vocabulary: Vocabulary, secondsAFrame: number): Word {
  return {
    text: group.map(({ symbol }) => vocabulary.symbols[symbol]).join(''),
    start: group[0]!.start * secondsAFrame,
    end: group.at(-1)!.end * secondsAFrame,
    confidence: Math.exp(mean(group)),
  }
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
