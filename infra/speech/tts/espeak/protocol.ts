import { z } from 'zod'

/**
 * What the parent and the phoneme engine's own process say to each other: requests go down as lines of JSON, messages come
 * back. A request is answered by blocks of 16-bit samples at 24 kHz (for `audio`), then `spoken`.
 */
export const espeakMessageKind = { ready: 1, audio: 2, spoken: 3 } as const

export interface SpeakRequest {
  /** A language of the engine with one of its variants: `hi+f2`. */
  readonly voice: string
  /** Words a minute. */
  readonly rate: number
  /** 0 to 99. */
  readonly pitch: number
  readonly range: number
  /** Plain text without markup: the engine would take `<` for a tag. */
  readonly text: string
  /** How much faster the audio is made afterwards, because the engine's own rate has bounds. */
  readonly stretch: number
  /** Whether the audio is wanted, or only its phonemes. */
  readonly audio: boolean
}

export const spokenSchema = z.object({
  /** Where each word begins in the text, in characters from 0, and in the audio. One word may be told more than once. */
  words: z.array(z.object({ at: z.int().min(0), ms: z.number().min(0) })),
  /** `word` is an index of `words`, -1 before the first. `(en)` says that what follows is spoken as another language. */
  phonemes: z.array(z.object({ text: z.string(), ms: z.number().min(0), word: z.int().min(-1) })),
})
export type EspeakSpoken = z.infer<typeof spokenSchema>

/** Samples of one message, which bounds it as the reader of messages wants. */
export const samplesPerMessage = 64 * 1024
