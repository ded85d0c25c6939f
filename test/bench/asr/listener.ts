/** One clip after the other, on the thread that calls it. */
export interface BenchListener {
  hear(clip: Float32Array): Promise<string>
  close(): Promise<void>
}
