import { once } from './once.ts'
import { hindiWords } from './word-lists.ts'

/** Many write ज for ज़ and फ for फ़; where the list knows the word with its dot, and knows it better so, that is its sound. */
export function withDots(word: string): string {
  return dottedByPlain().get(word) ?? word
}

const dot = '\u093c'
const otherSound = /[जफ]\u093c/u

const dottedByPlain = once(() => {
  const map = new Map<string, string>()
  const seen = new Set<string>()
  for (const listed of hindiWords) {
    const plain = listed.replaceAll(dot, '')
    if (otherSound.test(listed) && !seen.has(plain)) map.set(plain, listed)
    seen.add(plain)
  }
  return map
})
