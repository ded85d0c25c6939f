import { framesPerSecond, percentileOf, semitones, voiceIn } from './prosody.ts'
import type { Prosody, Seconds } from './prosody.ts'
import { logistic, tagsAbove } from './tag.ts'
import type { ScoredTag } from './tag.ts'
import type { Tag } from '../../../actors/transcript/state.ts'

/**
 * A raised voice is louder, higher and brighter than the same voice at rest. Loudness alone is only a nearer microphone, so
 * all three must agree; and without enough speech of one speaker there is nothing to compare with. It must be raised against
 * its own turn too: a whole turn that differs is more often somebody else who was taken for the same speaker.
 */
export function shoutingTags(speech: readonly VoicedPart[]): Tag[] {
  const spoken = speech.filter(({ windows }) => windows.length > 0)
  const bySpeaker = new Map<string, VoicedWindow[]>()
  for (const { speaker, windows } of spoken) bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), ...windows])
  const usual = new Map(Array.from(bySpeaker, ([speaker, windows]) => [speaker, usualOf(windows)]))
  return turnsOf(spoken).flatMap(({ speaker, windows }) => shoutsOf(windows, usual.get(speaker)))
}

export interface VoicedPart {
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
    const { loudnessDb, pitchHz, tiltDb, voicedShare } = voiceIn(prosody, span)
    if (pitchHz !== null && voicedShare >= leastVoicedShare) windows.push({ ...span, loudnessDb, pitchHz, tiltDb })
  }
  return windows
}

const windowSeconds = 0.8
const stepSeconds = 0.2
const leastVoicedShare = 0.3
const leastSpeechSeconds = 3
const shoutingFrom = 0.8
/** Two windows are an emphasis, not a raised voice. */
const shortestShoutSeconds = 1.15
const turnEndsAfterSeconds = 3
/** Below the median, so that a speaker who shouts half of the time still has a quiet half. */
const baselineShare = 0.35

/** What one speaker says before another one does or a silence comes. */
function turnsOf(speech: readonly VoicedPart[]): VoicedPart[] {
  const turns: VoicedPart[] = []
  for (const part of speech) {
    const last = turns.at(-1)
    const goesOn =
      last?.speaker === part.speaker && part.windows[0]!.start - last.windows.at(-1)!.end < turnEndsAfterSeconds
    if (last && goesOn) turns[turns.length - 1] = { ...last, windows: [...last.windows, ...part.windows] }
    else turns.push(part)
  }
  return turns
}

function shoutsOf(windows: readonly VoicedWindow[], speakerUsual: Usual | undefined): Tag[] {
  const turnUsual = usualOf(windows)
  if (!speakerUsual || !turnUsual) return []
  const scored = windows.map((window): ScoredTag => ({
    ...window,
    score: Math.min(scoreOf(window, speakerUsual), scoreOf(window, turnUsual)),
  }))
  return tagsAbove(scored, 'shouting', shoutingFrom).filter(({ start, end }) => end - start >= shortestShoutSeconds)
}

/** Undefined where there is too little to tell. */
function usualOf(windows: readonly VoicedWindow[]): Usual | undefined {
  if (windows.length * stepSeconds < leastSpeechSeconds) return undefined
  return {
    loudnessDb: levelOf(windows.map(({ loudnessDb }) => loudnessDb)),
    pitchHz: levelOf(windows.map(({ pitchHz }) => pitchHz)),
    tiltDb: levelOf(windows.map(({ tiltDb }) => tiltDb)),
  }
}

function levelOf(values: number[]): number {
  return percentileOf(
    values.sort((a, b) => a - b),
    baselineShare,
  )
}

const leastLouderDb = 6
const leastHigherSemitones = 2.5
const leastBrighterDb = 2

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
