/** How loud it is at most in a tenth of a second. */
export function levelAt(samples: Float32Array, seconds: number): number {
  return Math.max(...samples.subarray(seconds * 16_000, (seconds + 0.1) * 16_000).map(Math.abs))
}
