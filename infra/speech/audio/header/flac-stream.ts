export interface StreamInfo {
  readonly sampleRate: number
  readonly channels: number
  /** Of every frame but the last, where frames are numbered. */
  readonly blockSamples: number
  /** 0 when the encoder did not know. */
  readonly samples: number
}
