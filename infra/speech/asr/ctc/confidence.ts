import type { AlignedSymbol } from './align.ts'
import { decodeGreedily } from './greedy.ts'
import type { LogProbs } from './logits.ts'
import type { CtcVocabulary } from './vocabulary.ts'

/** What speaks for a word and against it. */
interface WordEvidence {
  /** Mean log-probability of its letters where each is clearest. */
  readonly letters: number
  /** How undecided the frames of the word are: their entropy in nats, summed, for each letter. */
  readonly entropy: number
  /** Mean log-probability of its letters after what came before them, by the language model. */
  readonly text: number
  /** Whether the audio alone, without the language model, spells the same word. */
  readonly isSpelt: boolean
}

/**
 * How often a word with such evidence was right: logistic regression on 492 words, of every second of 30 recordings of
 * real Hindi, 4 of real English and 50 Hinglish sentences by our voices. `npm run bench -- confidence` shows the others.
 */
const weights = { letters: 0.88, entropy: -0.504, text: 0.565, spelt: 2.011, bias: 1.762 }

export function wordConfidence({ letters, entropy, text, isSpelt }: WordEvidence): number {
  const { bias, spelt } = weights
  const sum = weights.letters * letters + weights.entropy * entropy + weights.text * text + (isSpelt ? spelt : 0) + bias
  return 1 / (1 + Math.exp(-sum))
}

/** A letter sounds a little longer than the frames that name it. */
const edgeFrames = 6

export interface SpelledWord {
  readonly letters: readonly AlignedSymbol[]
  /** Of each letter, by the language model. */
  readonly textLogProbs: readonly number[]
  /** Frames: where the word before it ends, and where the one after it begins. */
  readonly after: number
  readonly before: number
}

export function evidenceOf(word: SpelledWord, logProbs: LogProbs, { blank, space }: CtcVocabulary): WordEvidence {
  const { letters, after, before } = word
  const [{ start }, { end }] = [letters[0]!, letters.at(-1)!]
  const from = Math.max(Math.ceil((after + start) / 2), start - edgeFrames)
  const to = Math.min(Math.floor((before + end) / 2), end + edgeFrames)
  const data = logProbs.data.subarray(from * logProbs.symbols, to * logProbs.symbols)
  const spelt = decodeGreedily({ ...logProbs, data, frames: to - from }, blank).filter((symbol) => symbol !== space)
  return {
    letters: mean(letters.map(({ logProb }) => logProb)),
    entropy: entropyOf(data) / letters.length,
    text: mean(word.textLogProbs),
    isSpelt: spelt.length === letters.length && letters.every(({ symbol }, at) => symbol === spelt[at]),
  }
}

function entropyOf(logProbs: Float32Array): number {
  let entropy = 0
  for (let i = 0; i < logProbs.length; i += 1) entropy -= Math.exp(logProbs[i]!) * logProbs[i]!
  return entropy
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
