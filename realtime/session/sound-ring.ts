/**
 * The last sound of a session by its position since the session's beginning. Memory grows with what is kept and is
 * given back when nothing is: a silent session costs nothing.
 */
export interface SoundRing {
  /** The oldest sample that is kept. */
  readonly start: number
  readonly end: number
  append(samples: Float32Array): void
  dropBefore(position: number): void
  /** A copy. What is not kept any more is left out. */
  read(from: number, to: number): Int16Array
}

const smallest = 8_192
const fullScale = 32_767

export function createSoundRing(): SoundRing {
  let held = new Int16Array(0)
  let start = 0
  let end = 0

  function makeRoom(samples: number): void {
    const needed = end - start + samples
    if (needed <= held.length) return
    held = moved(new Int16Array(sizeFor(needed)))
  }

  return {
    get start() {
      return start
    },
    get end() {
      return end
    },
    append(samples) {
      makeRoom(samples.length)
      for (const sample of samples) {
        held[end & (held.length - 1)] = Math.max(-1, Math.min(1, sample)) * fullScale
        end += 1
      }
    },
    dropBefore(position) {
      start = Math.max(start, Math.min(position, end))
      if (start === end || (held.length > smallest && end - start < held.length / 8)) shrink()
    },
    read(from, to) {
      const first = Math.max(from, start)
      const sound = new Int16Array(Math.max(0, Math.min(to, end) - first))
      for (let index = 0; index < sound.length; index += 1) sound[index] = held[(first + index) & (held.length - 1)]!
      return sound
    },
  }

  function shrink(): void {
    held = start === end ? new Int16Array(0) : moved(new Int16Array(sizeFor(end - start)))
  }

  function moved(into: Int16Array<ArrayBuffer>): Int16Array<ArrayBuffer> {
    for (let position = start; position < end; position += 1)
      into[position & (into.length - 1)] = held[position & (held.length - 1)]!
    return into
  }
}

/** A power of two, so that a position becomes an index by masking. */
function sizeFor(samples: number): number {
  return Math.max(smallest, 2 ** Math.ceil(Math.log2(samples)))
}
