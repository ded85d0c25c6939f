import { createBucket } from '../../../actors/bucket.ts'
import type { Clock } from '../../../actors/ports.ts'
import { refused } from '../../wire/refusal.ts'
import type { Refusal } from '../../wire/refusal.ts'
import { bytesPerSecond } from '../audio-clip.ts'
import type { SessionLimits } from '../limits.ts'
import type { WireAudioFormat } from '../settings/settings.ts'

const appendBytesMax = 15 * 1_048_576

/** How much audio may come: not more than is kept, and not much faster than anybody speaks. */
export function createAllowance({ clock, limits }: { readonly clock: Clock; readonly limits: SessionLimits }) {
  const bucket = createBucket(limits.appendAheadSeconds, limits.appendSpeed)
  return (bytes: number, format: WireAudioFormat, heldMs: number): Refusal | undefined => {
    if (bytes > appendBytesMax) return refused('invalid_value', `One event carries at most 15 MiB of sound.`, 'audio')
    const more = bytes / bytesPerSecond(format)
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
