import type { SpeechFormat } from '../../../actors/conversation/ports.ts'

/** The others are plain samples, with or without a header. */
export type EncodedFormat = Exclude<SpeechFormat, 'pcm' | 'wav'>
