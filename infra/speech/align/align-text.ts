import { alignLimits } from '../../../actors/transcript/state.ts'
import { bestPath } from './best-path.ts'
import type { FrameScores } from './best-path.ts'
import { timelineOf } from './emissions.ts'
import type { Emissions, Timeline } from './emissions.ts'
import { layOut } from './paths.ts'
import type { Paths } from './paths.ts'
import { spellWords } from './spellings.ts'

/** A word of a text, and when it was said. Seconds of the recording. */
export interface AlignedWord {
  readonly start: number
  readonly end: number
  /** How clearly its letters were heard, 0 to 1. */
  readonly confidence: number
  /** False: it was not found, and its times are those that its neighbours leave. */
  readonly isFound: boolean
}

/** By convention of these models. */
const blank = 0
const space = ' '
/** In nats a frame: what it costs a gap to take in a letter that somebody said and the text does not have. */
const strangerCost = 2
/** A model names a letter at its clearest moment, not for as long as it sounds: words are widened, up to their neighbours. */
const widenSeconds = 0.06

/** When the words of a text were said: all of them, in their order. */
export function alignWords(
  words: readonly string[],
  pieces: readonly Emissions[],
  durationSeconds: number,
): AlignedWord[] {
  const timeline = timelineOf(pieces)
  const paths = layOut(spellWords(words, timeline.symbols), blank)
  // the header said less than there was, and nobody has the time
  const isTooLong = durationSeconds > alignLimits.seconds
  const found = timeline.frames === 0 || isTooLong ? [] : wordsOn(paths, timeline)
  return interpolated(
    widened(
      words.map((_, at) => found[at]),
      durationSeconds,
    ),
    words,
    durationSeconds,
  )
}

function wordsOn(paths: Paths, timeline: Timeline): (AlignedWord | undefined)[] {
  const path = bestPath(paths, scoresOf(timeline))
  const found: (AlignedWord | undefined)[] = []
  let word = 0
  for (let frame = 0; frame < path.length; frame++) {
    const state = path[frame]!
    while (state > paths.gaps[word + 1]!) word += 1
    if (state === paths.gaps[word] || state === paths.gaps[word + 1]) continue
    const first = frame
    while (frame + 1 < path.length && isWithin(paths, path[frame + 1]!, word)) frame += 1
    found[word] = heardBetween({ timeline, paths, path }, first, frame)
  }
  return found
}

function isWithin({ gaps }: Paths, state: number, word: number): boolean {
  return state > gaps[word]! && state < gaps[word + 1]!
}

interface Heard {
  readonly timeline: Timeline
  readonly paths: Paths
  readonly path: Int32Array
}

function heardBetween({ timeline, paths, path }: Heard, first: number, last: number): AlignedWord {
  const { starts, secondsAFrame, rows, symbols } = timeline
  const clearest = new Map<number, number>()
  for (let frame = first; frame <= last; frame++) {
    const state = path[frame]!
    const symbol = paths.symbols[state]!
    const logProb = rows[frame * symbols.length + symbol]!
    if (symbol !== blank) clearest.set(state, Math.max(clearest.get(state) ?? -Infinity, logProb))
  }
  const mean = [...clearest.values()].reduce((sum, one) => sum + one, 0) / clearest.size
  return { start: starts[first]!, end: starts[last]! + secondsAFrame, confidence: Math.exp(mean), isFound: true }
}

/** A gap hears silence, the end of a word, or, at a price, anything. */
function scoresOf({ rows, frames, symbols }: Timeline): FrameScores {
  const spaceSymbol = symbols.indexOf(space)
  const gaps = Float32Array.from({ length: frames }, (_, frame) => {
    const row = rows.subarray(frame * symbols.length, (frame + 1) * symbols.length)
    const likeliest = row.reduce((best, one) => Math.max(best, one), -Infinity)
    return Math.max(row[blank]!, row[spaceSymbol]!, likeliest - strangerCost)
  })
  return { frames, symbols: symbols.length, rows, gaps }
}

function widened(words: readonly (AlignedWord | undefined)[], seconds: number): (AlignedWord | undefined)[] {
  let before = 0
  const nextStarts = startsAfter(words, seconds)
  return words.map((word, at) => {
    if (!word) return undefined
    const start = Math.max((before + word.start) / 2, word.start - widenSeconds)
    before = word.end
    return { ...word, start, end: Math.min((word.end + nextStarts[at]!) / 2, word.end + widenSeconds) }
  })
}

/** Of each word, when the next one that was found begins; the end of the recording behind the last. */
function startsAfter(words: readonly (AlignedWord | undefined)[], seconds: number): number[] {
  let next = seconds
  return words
    .toReversed()
    .map((word) => {
      const after = next
      next = word?.start ?? next
      return after
    })
    .reverse()
}

/** Words that were not found share what lies between those that were, by their letters. */
function interpolated(
  found: readonly (AlignedWord | undefined)[],
  words: readonly string[],
  seconds: number,
): AlignedWord[] {
  const aligned: AlignedWord[] = []
  const nextStarts = startsAfter(found, seconds)
  let from = 0
  for (let at = 0; at < words.length; at++) {
    const word = found[at]
    if (!word) continue
    share(aligned, { words, from, to: at, until: word.start })
    aligned.push(word)
    from = at + 1
  }
  if (from < words.length) share(aligned, { words, from, to: words.length, until: nextStarts.at(-1) ?? seconds })
  return aligned
}

interface Sharing {
  readonly words: readonly string[]
  readonly from: number
  readonly to: number
  readonly until: number
}

function share(aligned: AlignedWord[], { words, from, to, until }: Sharing): void {
  const missing = words.slice(from, to)
  const letters = missing.reduce((sum, word) => sum + word.length, 0)
  let start = aligned.at(-1)?.end ?? 0
  const each = Math.max(until - start, 0) / letters
  for (const word of missing) {
    const end = start + each * word.length
    aligned.push({ start, end, confidence: 0, isFound: false })
    start = end
  }
}
