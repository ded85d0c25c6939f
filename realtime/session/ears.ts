import type { DetectorInput, SpeechDetector, SpeechFrame } from '../../actors/conversation/ports.ts'
import { heardRate } from '../../actors/conversation/ports.ts'
import type { Clock } from '../../actors/ports.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import { createBucket } from './bucket.ts'
import type { SessionLimits } from './limits.ts'
import type { Settings, SoundFormat } from './settings.ts'
import { bytesIn, createSoundDecoder, secondsIn } from './sound-in.ts'
import { createSoundRing } from './sound-ring.ts'
import { afterFrame, frameSamples, mannerOf, msOf, quiet } from './turn.ts'
import type { TurnState } from './turn.ts'

/** The input buffer: sound comes in, turns come out, by command or by what the detector tells. */
export interface Ears {
  append(base64: string): Refusal | undefined
  commit(): Refusal | undefined
  clear(): void
  /** Everything that waits, told to be silence by who knows. */
  takeSilence(): { readonly startMs: number; readonly endMs: number }
  settingsChanged(before: Settings): void
  close(): void
}

export interface EarsOf {
  readonly detector: SpeechDetector
  readonly clock: Clock
  readonly limits: SessionLimits
  settings(): Settings
  readonly emit: (event: ServerEvent) => void
  readonly newId: (prefix: string) => string
  /** After `speech_started` was told. */
  speechStarted(): void
  /** Refused when there is no room for another turn. */
  turnEnded(turn: EndedTurn): Refusal | undefined
}

export interface EndedTurn {
  readonly itemId: string
  readonly pcm: Int16Array
  /** On the session's clock: when the last sound of speech came in. */
  readonly spokenAt: number
  /** From then until the turn was known to be over; absent when the client said so. */
  readonly vadMs?: number
}

const appendBytesMax = 15 * 1_048_576
const commitMinMs = 100

export function createEars(of: EarsOf): Ears {
  const ring = createSoundRing()
  const allowed = createAllowance(of)
  let decoder = createSoundDecoder(of.settings().inputFormat)
  let input: DetectorInput | undefined
  let inputFrom = 0 // position of the first sample the detector got
  let turn: TurnState = quiet
  let turnFrom = 0
  let turnItem: string | undefined
  let takenTo = 0
  let judgedTo = 0
  let speechAt = 0
  let lastAt = 0
  const arrivals: { readonly end: number; readonly at: number }[] = []

  function take(samples: Float32Array): void {
    if (samples.length === 0) return
    ring.append(samples)
    if (!of.settings().turnDetection) return
    if (!input) {
      inputFrom = ring.end - samples.length
      input = of.detector.listen(hearFrame)
    }
    arrivals.push({ end: ring.end, at: lastAt })
    input.push(samples)
  }

  function hearFrame(frame: SpeechFrame): void {
    const { turnDetection } = of.settings()
    const startSample = inputFrom + frame.startSample
    if (!turnDetection || startSample < ring.start - frameSamples) return // committed or cleared in the meantime
    const at = arrivalOf(startSample + frameSamples)
    const manner = mannerOf(turnDetection)
    const before = turn
    const { state, change } = afterFrame(turn, { startSample, probability: frame.probability }, manner)
    turn = state
    judgedTo = startSample + frameSamples
    if (state.phase === 'speaking' && (before.phase === 'quiet' || state.speechEnd !== before.speechEnd)) speechAt = at
    if (change?.type === 'started') return begin(change.from)
    if (change?.type === 'stopped') return stop(change.to)
    if (state.phase === 'quiet') return forgetQuiet(state.run > 0 ? state.runFrom : judgedTo, manner.paddingSamples)
    if (judgedTo - turnFrom >= of.limits.turnSeconds * heardRate) stop(judgedTo)
  }

  function arrivalOf(position: number): number {
    while (arrivals.length > 1 && arrivals[0]!.end < position) arrivals.shift()
    return arrivals[0]?.at ?? lastAt
  }

  function forgetQuiet(position: number, padding: number): void {
    // one frame more than the padding, for speech that began in the frame before
    ring.dropBefore(position - padding - frameSamples)
  }

  function begin(from: number): void {
    turnFrom = Math.max(from, ring.start)
    turnItem = of.newId('item')
    ring.dropBefore(turnFrom)
    of.emit({
      type: 'input_audio_buffer.speech_started',
      fields: { audio_start_ms: msOf(turnFrom), item_id: turnItem },
    })
    of.speechStarted()
  }

  function stop(to: number): void {
    const itemId = turnItem ?? of.newId('item')
    of.emit({ type: 'input_audio_buffer.speech_stopped', fields: { audio_end_ms: msOf(to), item_id: itemId } })
    const pcm = ring.read(turnFrom, to)
    forget(to)
    const refusal = of.turnEnded({ itemId, pcm, spokenAt: speechAt, vadMs: of.clock.elapsedMs() - speechAt })
    if (refusal) of.emit({ type: 'error', refusal, causedBy: null })
  }

  function forget(before: number): void {
    ring.dropBefore(before)
    takenTo = before
    turn = quiet
    turnItem = undefined
  }

  function closeInput(): void {
    input?.close()
    input = undefined
    arrivals.length = 0
  }

  return {
    append(base64) {
      const { inputFormat } = of.settings()
      const refusal = allowed(bytesIn(base64), inputFormat, msOf(ring.end - ring.start))
      if (refusal) return refusal
      const samples = decoder.decode(base64)
      if (!samples) return refused('invalid_value', `Invalid 'audio': it is not base64.`, 'audio')
      lastAt = of.clock.elapsedMs()
      take(samples)
      return undefined
    },
    commit() {
      take(decoder.flush())
      const from = turnItem === undefined ? ring.start : turnFrom
      const haveMs = msOf(ring.end - from)
      if (haveMs < commitMinMs) return tooSmall(haveMs)
      const itemId = turnItem ?? of.newId('item')
      const pcm = ring.read(from, ring.end)
      const refusal = of.turnEnded({ itemId, pcm, spokenAt: lastAt })
      if (!refusal) forget(ring.end)
      return refusal
    },
    clear() {
      take(decoder.flush())
      forget(ring.end)
    },
    takeSilence() {
      const startMs = msOf(takenTo)
      forget(ring.end)
      return { startMs, endMs: msOf(ring.end) }
    },
    settingsChanged(before) {
      const { inputFormat, turnDetection } = of.settings()
      if (inputFormat !== before.inputFormat) {
        take(decoder.flush())
        decoder = createSoundDecoder(inputFormat)
      }
      if (!turnDetection) {
        closeInput()
        turn = quiet
        turnItem = undefined
      }
    },
    close: closeInput,
  }
}

/** How much sound may come: not more than is kept, and not much faster than anybody speaks. */
function createAllowance({ clock, limits }: EarsOf) {
  const bucket = createBucket(limits.appendAheadSeconds, limits.appendSpeed)
  return (bytes: number, format: SoundFormat, heldMs: number): Refusal | undefined => {
    if (bytes > appendBytesMax) return refused('invalid_value', `One event carries at most 15 MiB of sound.`, 'audio')
    const more = secondsIn(bytes, format)
    if (heldMs / 1_000 + more > limits.bufferSeconds)
      return refused('input_audio_buffer_full', full(limits.bufferSeconds), 'audio')
    if (bucket.take(more, clock.elapsedMs())) return undefined
    return { ...refused('rate_limit_exceeded', tooFast(limits), 'audio'), type: 'rate_limit_error' }
  }
}

function full(seconds: number): string {
  return `The input audio buffer holds at most ${seconds} seconds. Commit or clear it before sending more.`
}

function tooFast({ appendSpeed, appendAheadSeconds }: SessionLimits): string {
  return `Sound comes faster than ${appendSpeed} times real time, ${appendAheadSeconds} seconds ahead. Send it more slowly.`
}

function tooSmall(haveMs: number): Refusal {
  const have = `buffer only has ${haveMs.toFixed(2)}ms of audio`
  return refused(
    'input_audio_buffer_commit_empty',
    `Error committing input audio buffer: buffer too small. Expected at least ${commitMinMs}ms of audio, but ${have}.`,
  )
}
