import { framesPerSecond, percentile, semitones, summarise } from './prosody.ts'
import type { Prosody, Seconds } from './prosody.ts'
import { logistic, tagsAbove } from './tag.ts'
import type { Scored, Tag } from './tag.ts'

/**
 * A raised voice is louder, higher and brighter than the same voice at rest. Loudness alone is only a nearer microphone, so
 * all three must agree; and without enough speech of one speaker there is nothing to compare with.
 */
export function shoutingTags(speech: readonly SpokenPart[]): Tag[] {
  const speakers = new Set(speech.map(({ speaker }) => speaker))
  return Array.from(speakers)
    .flatMap((speaker) => shoutsOf(speech.filter((part) => part.speaker === speaker).flatMap(({ windows }) => windows)))
    .sort((a, b) => a.start - b.start)
}

export interface SpokenPart {
  readonly speaker: string
  readonly windows: readonly VoicedWindow[]
}

/** Most of a second of voice, in numbers that can travel. */
export interface VoicedWindow extends Seconds {
  readonly loudnessDb: number
  readonly pitchHz: number
  readonly tiltDb: number
}

export function voicedWindowsOf(prosody: Prosody, part: Seconds): VoicedWindow[] {
  const windows: VoicedWindow[] = []
  const last = Math.min(part.end, prosody.frames / framesPerSecond)
  for (let start = part.start; start + windowSeconds <= last + stepSeconds; start += stepSeconds) {
    const span = { start, end: Math.min(last, start + windowSeconds) }
    const { loudnessDb, pitchHz, tiltDb, voicedShare } = summarise(prosody, span)
    if (pitchHz !== null && voicedShare >= leastVoicedShare) windows.push({ ...span, loudnessDb, pitchHz, tiltDb })
  }
  return windows
}

const windowSeconds = 0.8
const stepSeconds = 0.2
const leastVoicedShare = 0.3
const leastSpeechSeconds = 3
const shoutingFrom = 0.6
/** One window alone is an emphasis, not a raised voice. */
const shortestShoutSeconds = 0.95
/** Below the median, so that a speaker who shouts half of the time still has a quiet half. */
const baselineShare = 0.35

function shoutsOf(windows: readonly VoicedWindow[]): Tag[] {
  if (windows.length * stepSeconds < leastSpeechSeconds) return []
  const usual = {
    loudnessDb: levelOf(windows.map(({ loudnessDb }) => loudnessDb)),
    pitchHz: levelOf(windows.map(({ pitchHz }) => pitchHz)),
    tiltDb: levelOf(windows.map(({ tiltDb }) => tiltDb)),
  }
  const scored = windows.map((window): Scored => ({ ...window, score: scoreOf(window, usual) }))
  return tagsAbove(scored, 'shouting', shoutingFrom).filter(({ start, end }) => end - start >= shortestShoutSeconds)
}

function levelOf(values: number[]): number {
  return percentile(
    values.sort((a, b) => a - b),
    baselineShare,
  )
}

const leastLouderDb = 4
const leastHigherSemitones = 2.5
const leastBrighterDb = 1

type Usual = Omit<VoicedWindow, 'start' | 'end'>

function scoreOf(heard: VoicedWindow, usual: Usual): number {
  const louder = heard.loudnessDb - usual.loudnessDb
  const higher = semitones(heard.pitchHz, usual.pitchHz)
  const brighter = heard.tiltDb - usual.tiltDb
  if (louder < leastLouderDb || higher < leastHigherSemitones || brighter < leastBrighterDb) return 0
  return logistic(
    0.3 * (Math.min(louder, 14) - 8) + 0.4 * (Math.min(higher, 10) - 3) + 0.35 * (Math.min(brighter, 8) - 2),
  )
}
