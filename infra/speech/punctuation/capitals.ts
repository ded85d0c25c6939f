import type { Chances } from './chances.ts'

export interface Letters {
  readonly bare: string
  readonly chances: Chances
  readonly script: string
  readonly isMarked: boolean
  /** Its recogniser's own. */
  readonly mark: string
}

/** How sure the model must be of a capital: inside English, and where an English word stands among Hindi ones. */
const likely = 0.7
const sure = 0.9

/** A word with its capitals; `before` and `after` are its neighbours in the sentence. */
export function writeLetters(
  word: Letters,
  { before, after }: { before: Letters | undefined; after: Letters | undefined },
): string {
  const { bare, chances, script, isMarked } = word
  if (script !== 'latin') return bare
  if (isOwnName(bare)) return bare
  if (isI(bare)) return capitalised(bare)
  const isAmongHindi = before?.script !== 'latin' && after?.script !== 'latin'
  const bar = isAmongHindi ? sure : likely
  if (chances.capitals >= bar && !isMarked) return bare.toUpperCase()
  // whoever writes capitals knows better where they belong, but begins each clip with one
  if (isMarked && (isInside(before) || beginsName(bare, after))) return bare
  const isCapital = before === undefined || chances.capital + chances.capitals >= bar
  return isCapital ? capitalised(bare) : uncapitalised(bare)
}

/** Not after an end that was not believed: its capital came from there. */
function isInside(before: Letters | undefined): boolean {
  return before?.script === 'latin' && (before.mark === '' || before.mark === ',')
}

/** Names come in rows: New York. */
function beginsName(word: string, after: Letters | undefined): boolean {
  return after !== undefined && [word, after.bare].every((one) => /^\p{Lu}/u.test(one) && !isI(one))
}

function isI(word: string): boolean {
  return /^i(?:'|$)/iu.test(word)
}

function capitalised(word: string): string {
  return word.replace(/^\P{L}*\p{L}/u, (start) => start.toUpperCase())
}

export function uncapitalised(word: string): string {
  return isOwnName(word) || isI(word) ? word : word.replace(/^\P{L}*\p{L}/u, (start) => start.toLowerCase())
}

/** Capitals that no sentence gave it: NASA, iPhone. */
function isOwnName(word: string): boolean {
  return /^\P{L}*\p{L}.*\p{Lu}/u.test(word)
}
