/**
 * When each token was said, from where the decoder looked in the audio while it wrote it: the attention of the heads
 * that follow speech, sharpened, and the cheapest monotonous path through it.
 */
export interface Attention {
  /** One entry a written token, in order, the end mark last: [heads, frames]. */
  readonly rows: readonly Float32Array[]
  readonly heads: number
  readonly frames: number
}

/** The frame at which each row begins; one value a row, never decreasing. */
export function framesOfRows({ rows, heads, frames }: Attention): number[] {
  if (rows.length === 0 || frames === 0) return rows.map(() => 0)
  const focus = new Float32Array(rows.length * frames)
  for (let head = 0; head < heads; head++) {
    const plane = planeOf({ rows, heads, frames }, head)
    standardise(plane, { rows: rows.length, frames })
    medianFilter(plane, frames)
    for (let i = 0; i < focus.length; i++) focus[i]! += plane[i]! / heads
  }
  return cheapestPath(focus, { rows: rows.length, frames })
}

interface Size {
  readonly rows: number
  readonly frames: number
}

const medianWidth = 7

function planeOf({ rows, frames }: Attention, head: number): Float32Array {
  const plane = new Float32Array(rows.length * frames)
  rows.forEach((row, index) => plane.set(row.subarray(head * frames, (head + 1) * frames), index * frames))
  return plane
}

/** Over the tokens, for each frame: a frame at which every token looks says nothing about any of them. */
function standardise(plane: Float32Array, { rows, frames }: Size): void {
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0
    let squares = 0
    for (let row = 0; row < rows; row++) {
      const value = plane[row * frames + frame]!
      sum += value
      squares += value * value
    }
    const mean = sum / rows
    const deviation = Math.sqrt(Math.max(squares / rows - mean * mean, 1e-20))
    for (let row = 0; row < rows; row++) plane[row * frames + frame] = (plane[row * frames + frame]! - mean) / deviation
  }
}

/** Of each frame and its neighbours. The window stays sorted while it slides: to sort it anew takes ten times as long. */
function medianFilter(plane: Float32Array, frames: number): void {
  if (frames < medianWidth) return
  const half = medianWidth >> 1
  const window = new Float32Array(medianWidth)
  const row = new Float32Array(frames)
  for (let start = 0; start < plane.length; start += frames) {
    row.set(plane.subarray(start, start + frames))
    for (let i = 0; i < medianWidth; i++) window[i] = row[mirrored(i - half, frames)]!
    window.sort()
    for (let frame = 0; ; frame++) {
      plane[start + frame] = window[half]!
      if (frame === frames - 1) break
      replaceSorted(window, row[mirrored(frame - half, frames)]!, row[mirrored(frame + 1 + half, frames)]!)
    }
  }
}

function replaceSorted(window: Float32Array, old: number, value: number): void {
  let at = 0
  while (at < window.length - 1 && window[at] !== old) at++
  for (; at > 0 && window[at - 1]! > value; at--) window[at] = window[at - 1]!
  for (; at < window.length - 1 && window[at + 1]! < value; at++) window[at] = window[at + 1]!
  window[at] = value
}

function mirrored(index: number, length: number): number {
  if (index < 0) return -index
  return index < length ? index : 2 * (length - 1) - index
}

const stay = 0
const nextRow = 1
const both = 2

/** Dynamic time warping: each step goes one frame on, one token on, or both. */
function cheapestPath(focus: Float32Array, { rows, frames }: Size): number[] {
  const width = frames + 1
  const moves = new Uint8Array((rows + 1) * width)
  let above = new Float64Array(width).fill(Infinity)
  above[0] = 0
  for (let row = 1; row <= rows; row++) {
    const costs = new Float64Array(width).fill(Infinity)
    for (let frame = 1; frame <= frames; frame++) {
      const diagonal = above[frame - 1]!
      const up = above[frame]!
      const left = costs[frame - 1]!
      const least = Math.min(diagonal, up, left)
      const move = least === diagonal ? both : least === up ? nextRow : stay
      moves[row * width + frame] = move
      costs[frame] = least - focus[(row - 1) * frames + frame - 1]!
    }
    above = costs
  }
  return firstFrames(moves, { rows, frames })
}

function firstFrames(moves: Uint8Array, { rows, frames }: Size): number[] {
  const first = Array.from({ length: rows }, () => 0)
  let row = rows
  let frame = frames
  while (row > 0 && frame > 0) {
    first[row - 1] = frame - 1
    const move = moves[row * (frames + 1) + frame]
    if (move !== stay) row--
    if (move !== nextRow) frame--
  }
  return first
}
