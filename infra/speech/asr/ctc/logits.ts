/** The output of a CTC model for one clip: [frames, symbols] natural log-probabilities, row by row. */
export interface LogProbs {
  readonly data: Float32Array
  readonly frames: number
  readonly symbols: number
}
