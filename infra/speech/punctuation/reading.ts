/** Text as the model reads it: the characters of words with single spaces, and the silence after each word. */
interface PunctuationReading {
  readonly ids: BigInt64Array
  readonly pauses: Float32Array
  /** Where each word begins and ends among the characters. */
  readonly places: readonly Place[]
}

export interface Place {
  readonly first: number
  readonly last: number
}

export interface ReadWord {
  readonly text: string
  /** Seconds of silence after it. */
  readonly pause: number
}

/** Longer pauses say no more. */
const longestPauseSeconds = 3
/** Stands for a word that has no letter the model knows: a figure, a word in another script. */
const unknownWord = 'x'

export function readingOf(words: readonly ReadWord[], symbols: readonly string[]): PunctuationReading {
  const numbers = new Map(symbols.map((symbol, number) => [symbol, number]))
  const ids: bigint[] = []
  const pauses: number[] = []
  const places: Place[] = []
  for (const { text, pause } of words) {
    if (ids.length > 0) {
      ids.push(BigInt(numbers.get(' ')!))
      pauses.push(0)
    }
    const first = ids.length
    for (const number of lettersOf(text, numbers)) {
      ids.push(BigInt(number))
      pauses.push(0)
    }
    pauses[pauses.length - 1] = Math.min(Math.max(pause, 0), longestPauseSeconds)
    places.push({ first, last: ids.length - 1 })
  }
  return { ids: BigInt64Array.from(ids), pauses: Float32Array.from(pauses), places }
}

function lettersOf(text: string, numbers: ReadonlyMap<string, number>): number[] {
  const known = Array.from(text.normalize('NFC').toLowerCase()).flatMap((letter) => numbers.get(letter) ?? [])
  return known.length > 0 ? known : [numbers.get(unknownWord)!]
}

/** Words that are read together, of which those from `from` up to `to` are asked about; the others are their surroundings. */
export interface Window {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

/** As far as the model sees. */
const contextCharacters = 150
const windowCharacters = 600

/** Long text in windows, each with as much around it as the model sees: memory does not grow with the text. */
export function windowsOf(words: readonly ReadWord[]): Window[] {
  const windows: Window[] = []
  for (let from = 0; from < words.length;) {
    const to = reach(words, from, windowCharacters)
    windows.push({
      start: reachBack(words, from),
      end: Math.max(to, reach(words, to, contextCharacters)),
      from,
      to,
    })
    from = to
  }
  return windows
}

/** The first word that does not fit any more; at least one does. */
function reach(words: readonly ReadWord[], from: number, characters: number): number {
  let [at, read] = [from, 0]
  while (at < words.length && (at === from || read + words[at]!.text.length < characters))
    read += words[at++]!.text.length + 1
  return at
}

function reachBack(words: readonly ReadWord[], from: number): number {
  let [at, read] = [from, 0]
  while (at > 0 && read < contextCharacters) read += words[--at]!.text.length + 1
  return at
}
