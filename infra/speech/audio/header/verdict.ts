import type { AudioFacts, NotAudio } from '../../../../actors/upload/ports.ts'

export type HeaderVerdict = AudioFacts | NotAudio

/** A reason is what follows the name of the file in a sentence: "call.wav is empty". */
export function notAudio(reason: string): NotAudio {
  return { audio: false, reason }
}

const longestSeconds = 10_000 * 3_600

/** A length that no recording has is a length that is not known. */
export function audioFacts(contentType: string, seconds: number | null): AudioFacts {
  const plausible = seconds !== null && seconds > 0 && seconds <= longestSeconds
  return { audio: true, contentType, durationSeconds: plausible ? seconds : null }
}

export function brokenHeader(format: string): NotAudio {
  return notAudio(`starts like ${format} but its header is broken or cut off: upload the whole file again`)
}

export function noAudio(format: string): NotAudio {
  return notAudio(`is ${format} with a header but no sound after it: record or upload it again`)
}

const highestSampleRate = 768_000
const mostChannels = 64

/** Why a sound like this cannot be meant, or undefined when it can. */
export function impossibleAudio(audio: { sampleRate: number; channels: number }): NotAudio | undefined {
  if (!(audio.sampleRate > 0 && audio.sampleRate <= highestSampleRate))
    return notAudio(`says it has ${audio.sampleRate} samples a second: between 1 and ${highestSampleRate} are possible`)
  if (!(audio.channels > 0 && audio.channels <= mostChannels))
    return notAudio(`says it has ${audio.channels} channels: between 1 and ${mostChannels} are possible`)
  return undefined
}
