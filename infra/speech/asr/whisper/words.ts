import type { Word } from '../recogniser.ts'
import type { Tokenizer } from './tokenizer.ts'

export interface TimedToken {
  readonly id: number
  readonly logProb: number
  /** Seconds in the clip. */
  readonly start: number
  readonly end: number
}

/** Languages that do not write spaces: there each character that is complete is a word. */
const unspaced = new Set(['zh', 'yue', 'ja', 'th', 'lo', 'my', 'km', 'bo'])

/** Text tokens into words: a word begins at a space. Punctuation stays with the word that it follows. */
export function whisperWords(tokens: readonly TimedToken[], language: string, tokenizer: Tokenizer): Word[] {
  const words: TimedToken[][] = []
  for (const group of characterGroups(tokens, tokenizer)) {
    const text = tokenizer.decode(group.map(({ id }) => id))
    const onItsOwn = unspaced.has(language) && /[\p{L}\p{N}]/u.test(text)
    const current = words.at(-1)
    if (!current || text.startsWith(' ') || onItsOwn) words.push([...group])
    else current.push(...group)
  }
  return words.map((group) => wordOf(group, tokenizer)).filter(({ text }) => text !== '')
}

export function tokenConfidence(logProbs: readonly number[]): number {
  if (logProbs.length === 0) return 0
  return Math.exp(logProbs.reduce((sum, value) => sum + value, 0) / logProbs.length)
}

/** Tokens that only together make whole characters: Devanagari letters are often split over two. */
function characterGroups(tokens: readonly TimedToken[], tokenizer: Tokenizer): TimedToken[][] {
  const groups: TimedToken[][] = []
  let open: TimedToken[] = []
  for (const token of tokens) {
    open.push(token)
    if (tokenizer.decode(open.map(({ id }) => id)).endsWith('\ufffd')) continue
    groups.push(open)
    open = []
  }
  if (open.length > 0) groups.push(open)
  return groups
}

function wordOf(group: readonly TimedToken[], tokenizer: Tokenizer): Word {
  return {
    text: tokenizer.decode(group.map(({ id }) => id)).trim(),
    start: group[0]!.start,
    end: group.at(-1)!.end,
    confidence: tokenConfidence(group.map(({ logProb }) => logProb)),
  }
}
