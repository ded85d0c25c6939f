import { spokenRate } from '../../../actors/conversation/ports.ts'
import type { SpokenClause } from '../../../actors/conversation/ports.ts'
import type { Said } from './engine.ts'
import type { Pause, SpokenText } from './spoken-text.ts'

/** Makes a clause of what an engine said: silences trimmed, loudness evened, edges faded, and the pause it ends in. */
export function finishClause(text: string, clause: SpokenText, said: Said): SpokenClause {
  const { from, to } = heardPart(said.samples)
  const audio = said.samples.slice(from, to)
  level(audio)
  fade(audio)
  const samples = new Int16Array(audio.length + silenceAfter(clause.end))
  for (let i = 0; i < audio.length; i += 1) samples[i] = Math.round(audio[i]! * 32_767)
  const audioMs = toMs(audio.length)
  const starts = said.starts.map((start) => start && Math.max(0, Math.min(audioMs, start - toMs(from))))
  return { text, samples, words: timed(clause, starts, audioMs) }
}

/** Nothing to say, such as an emoji: the text goes on, without a audio. */
export function silentClause(text: string, clause: SpokenText): SpokenClause {
  const nowhere = clause.words.map(() => undefined)
  return { text, samples: new Int16Array(0), words: timed(clause, nowhere, 0) }
}

/** A word lasts until the next one that is heard begins. */
function timed(clause: SpokenText, starts: readonly (number | undefined)[], audioMs: number): SpokenClause['words'] {
  let latest = 0
  const begins = starts.map((start) => (start === undefined ? undefined : (latest = Math.max(latest, start))))
  let next = audioMs
  const ends = begins.toReversed().map((start) => {
    if (start === undefined) return undefined
    const end = next
    next = start
    return end
  })
  ends.reverse()
  let heard = 0
  return clause.words.map(({ written }, at) => {
    const [startMs, endMs] = [begins[at] ?? heard, ends[at] ?? heard]
    heard = endMs
    return { text: written, startMs: Math.round(startMs), endMs: Math.round(endMs) }
  })
}

/** Below this share of the loudest sample is silence. */
const silenceShare = 0.012
const keptBeforeMs = 15
const keptAfterMs = 40

function heardPart(samples: Float32Array): { from: number; to: number } {
  let peak = 0
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
  const threshold = peak * silenceShare
  let [from, to] = [0, samples.length]
  while (from < to && Math.abs(samples[from]!) <= threshold) from += 1
  while (to > from && Math.abs(samples[to - 1]!) <= threshold) to -= 1
  return {
    from: Math.max(0, from - toSamples(keptBeforeMs)),
    to: Math.min(samples.length, to + toSamples(keptAfterMs)),
  }
}

const wantedLevel = 0.1
const greatestPeak = 0.95
const frameMs = 20
/** Frames that are this much quieter than the loudest one are pauses between words, which have no loudness. */
const quietFrame = 0.1

/** By the root mean square of what is voiced, so that a clause with a pause in it is not louder than its neighbours. */
function level(samples: Float32Array): void {
  const size = toSamples(frameMs)
  const powers: number[] = []
  let peak = 0
  for (let at = 0; at < samples.length; at += size) {
    const frame = samples.subarray(at, at + size)
    let power = 0
    for (const sample of frame) {
      power += sample * sample
      peak = Math.max(peak, Math.abs(sample))
    }
    powers.push(power / frame.length)
  }
  const loudest = powers.reduce((most, power) => Math.max(most, power), 0)
  const voiced = powers.filter((power) => power > loudest * quietFrame * quietFrame)
  const mean = voiced.reduce((sum, power) => sum + power, 0) / Math.max(1, voiced.length)
  if (mean === 0) return
  const gain = Math.min(wantedLevel / Math.sqrt(mean), greatestPeak / peak)
  for (let i = 0; i < samples.length; i += 1) samples[i]! *= gain
}

const fadeMs = 5

function fade(samples: Float32Array): void {
  const length = Math.min(toSamples(fadeMs), samples.length >> 1)
  for (let i = 0; i < length; i += 1) {
    const gain = i / length
    samples[i]! *= gain
    samples[samples.length - 1 - i]! *= gain
  }
}

const pausesMs: Readonly<Record<Pause, number>> = { '': 0, ',': 140, '.': 300, '?': 320, '!': 300 }

function silenceAfter(pause: Pause): number {
  return toSamples(pausesMs[pause])
}

function toSamples(ms: number): number {
  return Math.round((ms * spokenRate) / 1_000)
}

function toMs(samples: number): number {
  return (samples * 1_000) / spokenRate
}
