import { conceptOf, emptyWords } from './lexicon.ts'
import { agentWords } from './words.ts'

/** What an utterance still says when the words that chose the tool, and those that mean nothing, are taken from its ends. */
export function restOf(said: { readonly text: string; readonly toolWords: ReadonlySet<string> }): string | undefined {
  const tokens = said.text.trim().split(/\s+/)
  const isOuter = (token: string): boolean => {
    const words = agentWords(token)
    return words.every((word) => emptyWords.has(word) || said.toolWords.has(conceptOf(word)))
  }
  let from = 0
  let to = tokens.length
  while (from < to && isOuter(tokens[from]!)) from += 1
  while (to > from && isOuter(tokens[to - 1]!)) to -= 1
  const rest = tokens
    .slice(from, to)
    .join(' ')
    .replace(/(?<![.?!।])[.?!।]+$/, '')
  return rest === '' ? undefined : rest
}
