import type { AudioClip } from '../audio-clip.ts'

/** The audio of the newest items, for a client that asks for an item. The oldest is forgotten first. */
export interface KeptAudio {
  keep(itemId: string, audio: AudioClip): void
  find(itemId: string): AudioClip | undefined
  /** Forgets what comes after this many milliseconds. */
  cut(itemId: string, endMs: number): void
  forget(itemId: string): void
}

interface Kept {
  readonly rate: number
  readonly pieces: Int16Array[]
  samples: number
}

export function createKeptAudio(secondsMax: number): KeptAudio {
  const kept = new Map<string, Kept>()
  let seconds = 0

  function forget(itemId: string): void {
    const gone = kept.get(itemId)
    if (!gone) return
    seconds -= gone.samples / gone.rate
    kept.delete(itemId)
  }

  return {
    keep(itemId, { pcm, rate }) {
      const audio = kept.get(itemId) ?? { rate, pieces: [], samples: 0 }
      kept.set(itemId, audio)
      audio.pieces.push(pcm)
      audio.samples += pcm.length
      seconds += pcm.length / rate
      for (const oldest of kept.keys()) {
        if (seconds <= secondsMax) return
        forget(oldest)
      }
    },
    find(itemId) {
      const audio = kept.get(itemId)
      return audio && { pcm: joined(audio), rate: audio.rate }
    },
    cut(itemId, endMs) {
      const audio = kept.get(itemId)
      if (!audio) return
      const { rate } = audio
      const pcm = joined(audio).slice(0, Math.round((endMs * rate) / 1_000))
      forget(itemId)
      this.keep(itemId, { pcm, rate })
    },
    forget,
  }
}

function joined({ pieces, samples }: Kept): Int16Array {
  const whole = new Int16Array(samples)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
