import type { Word } from '../../asr/recogniser.ts'
import { editDistance } from '../../text/edit-distance.ts'

/**
 * Which words of a turn that is still being spoken are certain. The end of it is transcribed again and again: what
 * transcripts have in common for a while, and is followed by more, will not change any more. Pure: live-turn.ts has the
 * recogniser.
 */

/** What ends closer to the end of the audio may be the first half of a word. */
const edgeSeconds = 0.24
/** So long no transcript may have disagreed on a word; on the first of a turn, which shows that somebody listens, two need only agree. */
const agreedSeconds = 0.3
/** So much before the first word that is not certain is transcribed again: without it the first words are misheard. */
const contextSeconds = 1.5
const contextMostSeconds = 4

/** A word that is not certain, with times since the turn's beginning. */
export interface OpenWord extends Word {
  /** How far the audio went when it was first transcribed so, in seconds. */
  readonly since: number
}

/** The words of a transcript, by those of the one before it. */
export function withSince(words: readonly Word[], before: readonly OpenWord[], edge: number): OpenWord[] {
  return words.map((word, at) => {
    const earlier = before[at]
    return { ...word, since: earlier && isSame(word, earlier) ? earlier.since : edge }
  })
}

/** The last transcript of the end of a turn. */
interface LiveWords {
  readonly words: readonly OpenWord[]
  /** How far the audio went, in seconds. */
  readonly edge: number
  /** Nothing reaches across it: one transcript is enough then. */
  readonly isPause: boolean
  /** No word of the turn is certain yet. */
  readonly isBeginning: boolean
}

/** How many of the words are certain, where somebody else transcribes runs of words in some languages again. The last one never is: what follows decides about its mark. */
export function certainCount({ words, edge, isPause, isBeginning }: LiveWords, again: readonly string[]): number {
  const differs = words.findIndex(({ end, since }, at) => {
    const isAgreed = isBeginning && at === 0 ? since < edge : since <= edge - agreedSeconds
    return !isPause && (!isAgreed || end > edge - edgeSeconds)
  })
  const agreed = differs < 0 ? words.length : differs
  return Math.max(0, Math.min(agreed, words.length - 1, openRun(words, again)))
}

/** Where the run of words begins that somebody else may still transcribe, when it has grown. */
function openRun(words: readonly Word[], again: readonly string[]): number {
  const settled = words.findLastIndex(
    ({ language, model }) => model !== undefined || language === undefined || !again.includes(language),
  )
  return settled + 1
}

function isSame(word: Word, other: Word): boolean {
  return other.text.toLowerCase() === word.text.toLowerCase() && other.model === word.model
}

/** Of what was transcribed now, the words after those that are known: the same audio may be cut into words differently. */
export function wordsAfter(known: readonly Word[], words: readonly Word[]): Word[] {
  const end = known.at(-1)?.end
  if (end === undefined) return [...words]
  const wanted = lettersOf(known)
  let best = { first: 0, cost: Infinity }
  for (let first = 0; first <= words.length; first++) {
    const away = Math.abs((words[first - 1]?.end ?? 0) - end)
    const cost = editDistance(wanted, lettersOf(words.slice(0, first))) + away * lettersASecond
    if (cost < best.cost) best = { first, cost }
  }
  return words.slice(best.first)
}

/** What a second in the wrong place is worth against letters that differ. */
const lettersASecond = 6

function lettersOf(words: readonly Word[]): string {
  return words
    .map(({ text }) => text.toLowerCase())
    .join('')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}

/** Where the audio that is transcribed next may begin: in the longest pause, not too close to what is not certain. */
export function windowStart(certain: readonly Word[], firstOpen: number): number | undefined {
  let best: { at: number; pause: number } | undefined
  certain.forEach(({ start }, index) => {
    const end = certain[index - 1]?.end
    if (end === undefined || start > firstOpen - contextSeconds || start < firstOpen - contextMostSeconds) return
    if (!best || start - end > best.pause) best = { at: (start + end) / 2, pause: start - end }
  })
  return best?.at
}
