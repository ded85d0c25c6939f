import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { resample } from '../../infra/speech/audio/signal/resample.ts'
import { inCheckout } from './checkout.ts'
import { decodeAll } from './decode-all.ts'
import { aRandom, joinedSamples } from './samples.ts'

/** Clips by speaker: files are named by who speaks, a hyphen, and which one it is. */
export async function voicesIn(
  folder = inCheckout('test', 'fixtures', 'voices'),
): Promise<Map<string, Float32Array[]>> {
  const names = readdirSync(folder)
    .filter((name) => /\.(?:ogg|wav)$/.test(name))
    .sort()
  const clips = await decodeAll(names.map((name) => join(folder, name)))
  const voices = new Map<string, Float32Array[]>()
  names.forEach((name, at) => {
    const speaker = name.split('-')[0]!
    voices.set(speaker, [...(voices.get(speaker) ?? []), clips[at]!])
  })
  return voices
}

/** The same voice raised: higher by some semitones, brighter, and louder until it clips. */
export function shouted(samples: Float32Array, semitones = 5): Float32Array {
  const higher = resample(samples, Math.round(16_000 * 2 ** (semitones / 12)), 16_000)
  let low = 0
  return higher.map((sample) => {
    low += 0.33 * (sample - low)
    return Math.tanh(4 * (low + 2.2 * (sample - low)))
  })
}

export function louder(samples: Float32Array, gain: number): Float32Array {
  return samples.map((sample) => sample * gain)
}

/** Laughter as its textbook has it: short vowels of falling pitch with breath between them, never quite even. */
export function aLaugh(seed: number): Float32Array {
  const random = aRandom(seed)
  const bursts = 5 + Math.floor(random() * 4)
  const period = 0.15 + 0.08 * random()
  const pitch = 180 + 200 * random()
  const parts: Float32Array[] = []
  for (let burst = 0; burst < bursts; burst += 1) {
    const falling = pitch * (1 - 0.04 * burst) * (0.97 + 0.06 * random())
    const loudness = 0.5 * 0.9 ** burst * (0.85 + 0.3 * random())
    parts.push(aVowel({ pitch: falling, seconds: 0.06 + 0.03 * random(), loudness }, random))
    parts.push(aBreath(period * (0.9 + 0.2 * random()) - 0.08, random))
  }
  return joinedSamples(parts)
}

function aVowel(input: { pitch: number; seconds: number; loudness: number }, random: () => number): Float32Array {
  const length = Math.round(input.seconds * 16_000)
  let phase = 0
  const pulses = Float32Array.from({ length }, () => {
    phase += (input.pitch * (0.99 + 0.02 * random())) / 16_000
    const pulse = phase >= 1 ? 1 : 0
    phase %= 1
    return pulse + 0.03 * (random() - 0.5)
  })
  const open = [750, 1_250, 2_600].reduce<Float32Array>(resonated, pulses)
  const loudest = open.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-9)
  return open.map((sample, at) => ((input.loudness * sample) / loudest) * Math.sin((Math.PI * at) / length) ** 0.5)
}

function resonated(audio: Float32Array, hertz: number): Float32Array {
  const radius = Math.exp((-Math.PI * 120) / 16_000)
  const turn = 2 * radius * Math.cos((2 * Math.PI * hertz) / 16_000)
  let [last, before] = [0, 0]
  return audio.map((sample) => {
    const next = sample + turn * last - radius * radius * before
    before = last
    last = next
    return next
  })
}

function aBreath(seconds: number, random: () => number): Float32Array {
  return Float32Array.from({ length: Math.max(0, Math.round(seconds * 16_000)) }, () => 0.012 * (random() - 0.5))
}

export interface VoicePart {
  readonly samples: Float32Array
  readonly label: string
}

/** Parts one after the other with silence between, and where each one lies. */
export function aRecording(
  parts: readonly VoicePart[],
  gapSeconds = 0.4,
): { samples: Float32Array; spans: LabelledSpan[] } {
  const pieces: Float32Array[] = []
  const spans: LabelledSpan[] = []
  let at = 0
  for (const { samples, label } of parts) {
    spans.push({ start: at / 16_000, end: (at + samples.length) / 16_000, label })
    pieces.push(samples, new Float32Array(gapSeconds * 16_000))
    at += samples.length + gapSeconds * 16_000
  }
  return { samples: joinedSamples(pieces), spans }
}

export interface LabelledSpan {
  readonly start: number
  readonly end: number
  readonly label: string
}

/** Words where a recogniser would have heard some, neither sure nor lost. */
export function plainWords(span: {
  start: number
  end: number
}): { text: string; start: number; end: number; confidence: number }[] {
  const length = 0.42
  const count = Math.floor((span.end - span.start) / length)
  return Array.from({ length: count }, (_, index) => {
    const start = span.start + index * length
    return { text: 'शब्द', start, end: start + length * 0.9, confidence: 0.6 }
  })
}
