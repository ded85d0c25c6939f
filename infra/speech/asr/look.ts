import type { DecoderReading } from './decoder.ts'

/** [layer, head] pairs. */
export type Heads = readonly (readonly [number, number])[]

export function layersOf(heads: Heads): number[] {
  return [...new Set(heads.map(([layer]) => layer))]
}

/** Where the heads looked while the last token of the run was read: [heads, frames], without the padding behind. */
export function lookOf(
  reading: DecoderReading,
  { row, heads, frames }: { row: number; heads: Heads; frames: number },
): Float32Array | undefined {
  if (heads.length === 0) return undefined
  const look = new Float32Array(heads.length * frames)
  for (const [at, [layer, head]] of heads.entries()) {
    const tensor = reading.attention.get(layer)
    if (!tensor || !(tensor.data instanceof Float32Array)) return undefined
    const width = tensor.dims.at(-1)!
    const tokens = tensor.dims.at(-2)!
    const planes = tensor.size / (width * tokens * reading.rows)
    const start = ((row * planes + head) * tokens + tokens - 1) * width
    look.set(tensor.data.subarray(start, start + Math.min(frames, width)), at * frames)
  }
  return look
}
