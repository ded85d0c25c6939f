import type { Attention } from '../align.ts'
import { framesOfRows } from '../align.ts'
import type { Word } from '../recogniser.ts'
import type { MoonshineVocabulary } from './vocabulary.ts'

export interface SpokenTokens {
  readonly tokens: readonly number[]
  /** One a token; one more when the end mark was written. */
  readonly logProbs: readonly number[]
  readonly attention: Attention | undefined
  readonly seconds: number
  readonly ended: 'end' | 'cap' | 'loop'
}

/** A word begins at a piece that begins with a space. */
export function wordsOfSpoken(spoken: SpokenTokens, vocabulary: MoonshineVocabulary): Word[] {
  const { tokens, logProbs, seconds } = spoken
  const starts = startsOf(spoken, vocabulary)
  const groups: number[][] = []
  tokens.forEach((token, index) => {
    const current = groups.at(-1)
    if (!current || vocabulary.bytesOf(token)[0] === space) groups.push([index])
    else current.push(index)
  })
  return groups
    .map((indices) => ({
      text: vocabulary.decode(indices.map((index) => tokens[index]!)).trim(),
      start: starts[indices[0]!]!,
      end: starts[indices.at(-1)! + 1] ?? seconds,
      confidence: Math.exp(indices.reduce((sum, index) => sum + logProbs[index]!, 0) / indices.length),
    }))
    .filter(({ text }) => text !== '')
}

const space = 0x20

function startsOf({ attention, seconds, tokens }: SpokenTokens, vocabulary: MoonshineVocabulary): number[] {
  if (attention) {
    const secondsPerFrame = seconds / Math.max(1, attention.frames)
    return framesOfRows(attention).map((frame) => frame * secondsPerFrame)
  }
  const lengths = tokens.map((token) => vocabulary.bytesOf(token).length)
  const total = Math.max(
    1,
    lengths.reduce((sum, length) => sum + length, 0),
  )
  let said = 0
  return lengths.map((length) => {
    const start = (seconds * said) / total
    said += length
    return start
  })
}
