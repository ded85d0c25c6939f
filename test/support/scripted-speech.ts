import { decodeWav, encodeWav } from '../../infra/speech/audio/wav.ts'
import { numberInName } from '../../infra/speech/scripted/open-scripted.ts'
import { acts, mark, stages } from '../../infra/speech/scripted/script.ts'
import type { ScriptCommand } from '../../infra/speech/scripted/script.ts'

const rate = 16_000
const fullScale = 32_768

/** One second of a recording for RECOGNISER=scripted: a chunk whose words follow from the audio, or silence. */
export type ScriptedSecond = 'silence' | { readonly audio: number; readonly commands?: readonly ScriptedCommand[] }

/** `times`: how many calls it affects, 0 for all of them. */
export type ScriptedCommand = Pick<ScriptCommand, 'stage' | 'act'> & Partial<ScriptCommand>

/** `sound` tells seconds apart: the same number, the same words. It is a WAV. */
export function aScriptedRecording(seconds: readonly ScriptedSecond[]): Uint8Array {
  const samples = new Float32Array(seconds.length * rate)
  for (const [index, second] of seconds.entries())
    if (second !== 'silence') samples.set(samplesOf(second), index * rate)
  return encodeWav({ samples, extra: new Map() })
}

/** So many seconds of audio that differ from each other and, by `first`, from those of another recording. */
export function scriptedSeconds(count: number, first = 1): ScriptedSecond[] {
  return Array.from({ length: count }, (_, index) => ({ audio: first + index }))
}

/** What each chunk of such a recording says, in order. */
export function textsOf(recording: Uint8Array): string[] {
  const { samples } = decodeWav(recording)!
  const seconds = Array.from({ length: Math.ceil(samples.length / rate) }, (_, index) =>
    samples.slice(index * rate, (index + 1) * rate),
  )
  return seconds
    .filter((second) => second.some((sample) => sample !== 0))
    .map((second) => `heard ${numberInName(second)}`)
}

function samplesOf({ audio, commands = [] }: Exclude<ScriptedSecond, 'silence'>): Float32Array {
  const numbers = commands.flatMap(({ stage, act, times = 0, ms = 0 }) => [
    ...mark,
    stages.indexOf(stage),
    acts.indexOf(act),
    times,
    ms,
  ])
  const samples = new Float32Array(rate).fill(0.25)
  samples.set(Float32Array.from([...numbers, audio & 0x7f_ff, audio >> 15], (number) => number / fullScale))
  return samples
}
