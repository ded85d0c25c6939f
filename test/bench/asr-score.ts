/**
 * Lower case, punctuation away, hyphens as spaces, "mr" as "mister": what a careful reader would not call a mistake.
 * Devanagari: the nukta and the choice between anusvara and chandrabindu are left as they are.
 */
export const normalisation = 'lower case, no punctuation, hyphens as spaces, mr. = mister, NFC'

export function normalise(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[-–—]/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}\s]/gu, '')
    .replaceAll(/\bmr\b/g, 'mister')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export interface ErrorCount {
  readonly errors: number
  readonly length: number
}

export function wordErrors(said: string, heard: string): ErrorCount {
  return errorsBetween(normalise(said).split(' '), normalise(heard).split(' ').filter(Boolean))
}

export function letterErrors(said: string, heard: string): ErrorCount {
  return errorsBetween(Array.from(normalise(said)), Array.from(normalise(heard)))
}

export function rate(counts: readonly ErrorCount[]): number {
  const length = counts.reduce((sum, count) => sum + count.length, 0)
  return length === 0 ? 0 : counts.reduce((sum, { errors }) => sum + errors, 0) / length
}

/** Levenshtein's distance. */
function errorsBetween(said: readonly string[], heard: readonly string[]): ErrorCount {
  let row = Array.from({ length: heard.length + 1 }, (_, i) => i)
  for (const [i, expected] of said.entries()) {
    const next = [i + 1]
    for (const [j, got] of heard.entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (expected === got ? 0 : 1)))
    row = next
  }
  return { errors: row.at(-1)!, length: said.length }
}
