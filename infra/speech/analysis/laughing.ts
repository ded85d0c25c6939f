import type { Cepstrum, CepstralFrames } from './cepstrum.ts'
import { framesPerSecond } from './prosody.ts'
import type { Prosody } from './prosody.ts'
import { logistic, tagsAbove } from './tag.ts'
import type { AnalysedWord, ScoredTag } from './tag.ts'
import type { Tag } from '../../../actors/transcript/state.ts'

/**
 * Laughter says the same thing again and again: three to nine bursts a second, evenly spaced, each with nearly the spectrum of
 * the one before. Speech has the rhythm too, but its syllables differ. What the recogniser heard there speaks for or against.
 */
export function laughingTags({ prosody, cepstrum }: CepstralFrames, words: readonly AnalysedWord[]): Tag[] {
  const frames = Math.min(prosody.frames, cepstrum.frames)
  const windows: ScoredTag[] = []
  for (let from = 0; from === 0 || from + windowFrames <= frames; from += stepFrames) {
    const to = Math.min(frames, from + windowFrames)
    const rhythm = rhythmOf(prosody, from, to)
    if (!rhythm) continue
    const bursts = rhythm.bursts.map((burst) => shapeAt(cepstrum, from + burst))
    const [start, end] = [from + rhythm.bursts[0]! - edgeFrames, from + rhythm.bursts.at(-1)! + edgeFrames]
    const span = { start: Math.max(0, start) / framesPerSecond, end: Math.min(frames, end) / framesPerSecond }
    const voiced = voicedShare(prosody, from, to)
    const evidence = evidenceOf({ ...rhythm, contrast: contrastOf(bursts), voiced }) + evidenceOfWords(words, span)
    windows.push({ ...span, score: logistic(evidence) })
  }
  return tagsAbove(windows, 'laughing', laughingFrom).filter(({ start, end }) => end - start >= shortestLaughSeconds)
}

const windowFrames = framesPerSecond
const stepFrames = framesPerSecond / 10
const shortestWindowFrames = 0.6 * framesPerSecond
const edgeFrames = 6
const laughingFrom = 0.7
/** Four syllables of somebody who reads fast may be alike, for half a second. */
const shortestLaughSeconds = 0.7

interface Rhythm {
  /** Frames of the loudest moment of each burst. */
  readonly bursts: readonly number[]
  /** How well the loudness repeats itself at its own period, 0..1. */
  readonly repetition: number
  /** Spread of the intervals between bursts, as a share of their mean. */
  readonly unevenness: number
}

const fewestBursts = 4
const silentBelowDb = -55
const heardRangeDb = 35
const shortestPeriod = 11
const longestPeriod = 32

function rhythmOf(prosody: Prosody, from: number, to: number): Rhythm | undefined {
  if (to - from < shortestWindowFrames) return undefined
  const levels = prosody.loudness.subarray(from, to)
  const top = levels.reduce((most, level) => Math.max(most, level), Number.NEGATIVE_INFINITY)
  if (top < silentBelowDb) return undefined
  const envelope = levels.map((level, at) =>
    Math.max(top - heardRangeDb, ((levels[at - 1] ?? level) + level + (levels[at + 1] ?? level)) / 3),
  )
  const bursts = burstsOf(envelope, top)
  if (bursts.length < fewestBursts) return undefined
  const intervals = bursts.slice(1).map((burst, at) => burst - bursts[at]!)
  const mean = intervals.reduce((sum, interval) => sum + interval, 0) / intervals.length
  const spread = Math.sqrt(intervals.reduce((sum, interval) => sum + (interval - mean) ** 2, 0) / intervals.length)
  return { bursts, repetition: repetitionOf(envelope), unevenness: spread / mean }
}

const burstWithinDb = 22
const burstRiseDb = 5
const burstGapFrames = 9

function burstsOf(envelope: Float32Array, top: number): number[] {
  const bursts: number[] = []
  let lowest = Number.POSITIVE_INFINITY
  for (let at = 1; at + 1 < envelope.length; at += 1) {
    const here = envelope[at]!
    lowest = Math.min(lowest, here)
    if (here < envelope[at - 1]! || here <= envelope[at + 1]! || here < top - burstWithinDb) continue
    const last = bursts.at(-1)
    const isNew = last === undefined || (here - lowest > burstRiseDb && at - last >= burstGapFrames)
    if (isNew) bursts.push(at)
    else if (here > envelope[last]!) bursts[bursts.length - 1] = at
    else continue
    lowest = here
  }
  return bursts
}

function repetitionOf(envelope: Float32Array): number {
  const mean = envelope.reduce((sum, level) => sum + level, 0) / envelope.length
  const centred = envelope.map((level) => level - mean)
  const variance = centred.reduce((sum, level) => sum + level * level, 0)
  if (variance === 0) return 0
  let best = 0
  for (let lag = shortestPeriod; lag <= longestPeriod; lag += 1) {
    let sum = 0
    for (let at = lag; at < centred.length; at += 1) sum += centred[at]! * centred[at - lag]!
    best = Math.max(best, sum / (variance * (1 - lag / centred.length)))
  }
  return Math.min(1, best)
}

const comparedCoefficients = 12

function shapeAt(cepstrum: Cepstrum, frame: number): number[] {
  const around = [-1, 0, 1].map((offset) => cepstrum.at(Math.max(0, Math.min(cepstrum.frames - 1, frame + offset - 1))))
  return Array.from({ length: comparedCoefficients }, (_, index) =>
    around.reduce((sum, row) => sum + row[index]! / around.length, 0),
  )
}

/** How far a burst is from the one before, on average. */
function contrastOf(bursts: readonly (readonly number[])[]): number {
  const distances = bursts
    .slice(1)
    .map((burst, at) => Math.hypot(...burst.map((value, index) => value - bursts[at]![index]!)))
  return distances.reduce((sum, distance) => sum + distance, 0) / distances.length
}

/** The weights were set by eye on acted laughs and read speech. Laughter is breathier than speech, hence the voicing. */
function evidenceOf(burst: Rhythm & { contrast: number; voiced: number }): number {
  return (
    0.6 * (burst.bursts.length - 4.5) +
    0.7 * (5.2 - burst.contrast) +
    2.5 * (burst.repetition - 0.5) +
    2 * (0.25 - burst.unevenness) +
    2 * (0.55 - burst.voiced)
  )
}

function voicedShare(prosody: Prosody, from: number, to: number): number {
  let voiced = 0
  for (let frame = from; frame < to; frame += 1) if (prosody.pitch[frame]! > 0) voiced += 1
  return voiced / (to - from)
}

const laughWord = /^(?:(?:ha|he|hee|hi|ho|हा|हे|ही|हि|हो)[\s-]?){2,}h?$|^(?:lol|laughs?|laughter|हँसी|हंसी)$/iu
const evidenceOfSpeech = 2.7

/** A recogniser that is sure of its words did not hear laughter; one that found none has left the question open. */
function evidenceOfWords(words: readonly AnalysedWord[], { start, end }: { start: number; end: number }): number {
  const there = words.filter((word) => word.end > start && word.start < end)
  if (there.some(({ text }) => laughWord.test(text.replaceAll(/[^\p{L}\p{M}\s-]/gu, '')))) return 2.5
  // by time, not by count: one long word fills a second as three short ones do
  const spoken = there.reduce(
    (sum, word) => sum + (Math.min(word.end, end) - Math.max(word.start, start)) * (1 / 3 + (2 / 3) * word.confidence),
    0,
  )
  return (-evidenceOfSpeech * spoken) / (end - start)
}
