import { z } from 'zod'

const maxSymbols = 4096
const vocabularySchema = z.array(z.string().min(1)).min(2).max(maxSymbols)

/** What the outputs of a CTC model mean. By convention the blank comes first and the space is an entry of its own. */
export interface CtcVocabulary {
  readonly symbols: readonly string[]
  readonly blank: number
  readonly space: number
}

export function parseVocabulary(json: string): CtcVocabulary {
  const symbols = vocabularySchema.parse(JSON.parse(json))
  const space = symbols.indexOf(' ')
  if (space < 1) throw new Error('a CTC vocabulary begins with the blank and has a space')
  return { symbols, blank: 0, space }
}

export function symbolsText(vocabulary: CtcVocabulary, sequence: readonly number[]): string {
  return sequence
    .map((symbol) => vocabulary.symbols[symbol])
    .join('')
    .replace(/ +/g, ' ')
    .trim()
}
