import { z } from 'zod'

/** What the media stream of a carrier says, whoever the carrier is. */
export type CarrierEvent =
  | { readonly type: 'Started'; readonly call: CarrierCall }
  /** Of the caller, as base64 in the encoding of the call. */
  | { readonly type: 'Audio'; readonly payload: string }
  /** Everything that was sent before this mark was played, or cleared. */
  | { readonly type: 'Reached'; readonly mark: string }
  | { readonly type: 'KeyPressed'; readonly key: string }
  | { readonly type: 'HungUp' }
  /** Nothing that concerns us. */
  | { readonly type: 'Other' }

export type CarrierMessage =
  | { readonly type: 'Play'; readonly payload: string }
  /** Is to be told back when everything before it was played. */
  | { readonly type: 'Mark'; readonly name: string }
  /** What was not played yet is not to be. */
  | { readonly type: 'Clear' }

export interface CarrierCall {
  readonly streamId: string
  readonly audio: PhoneAudio
  /** What the carrier says of the call: which it is, and between whom. */
  readonly facts: Readonly<Record<string, string>>
  /** What whoever set the call up says of it. */
  readonly parameters: Readonly<Record<string, string>>
}

/** One channel; `linear` has 16 bits, little-endian. */
export interface PhoneAudio {
  readonly encoding: 'mu-law' | 'linear'
  readonly rate: 8_000 | 16_000 | 24_000
}

export interface Carrier {
  readonly name: string
  /** Of a frame that was JSON; nothing for one that is not as the carrier documents it. */
  read(frame: unknown): CarrierEvent | undefined
  write(message: CarrierMessage, call: CarrierCall): object
  /** Audio is sent in pieces of this size and multiples of it. */
  readonly pieceBytes: number
}

/** By the name of the frame: how it looks, and what it says. */
type CarrierFrames = Readonly<Record<string, z.ZodType<CarrierEvent>>>

const anyFrame = z.object({ event: z.string() })

/** Frames with other names are passed over: carriers add some from time to time. */
export function frameReader(frames: CarrierFrames): Carrier['read'] {
  return (frame) => {
    const named = anyFrame.safeParse(frame)
    if (!named.success) return undefined
    const { event } = named.data
    return Object.hasOwn(frames, event) ? frames[event]!.safeParse(frame).data : { type: 'Other' }
  }
}

/** No carrier documents as many parameters, or as long ones. */
const parametersMax = 64
const nameCharactersMax = 128
const valueCharactersMax = 4_096
export const carrierId = z.string().min(1).max(nameCharactersMax)
export const callParameters = z
  .record(z.string().max(nameCharactersMax), z.string().max(valueCharactersMax))
  .refine((parameters) => Object.keys(parameters).length <= parametersMax)

/** What all three have: the caller's audio, a key, and the end. Audio of the other direction is our own. */
export const commonFrames = {
  media: z
    .object({ media: z.object({ track: z.string().optional(), payload: z.string() }) })
    .transform(({ media: { track, payload } }): CarrierEvent => {
      const isOfCaller = track === undefined || track.startsWith('inbound')
      return isOfCaller ? { type: 'Audio', payload } : { type: 'Other' }
    }),
  dtmf: z
    // A to D are on no telephone of today, and in the standard
    .object({ dtmf: z.object({ digit: z.string().regex(/^[0-9*#A-D]$/) }) })
    .transform(({ dtmf }): CarrierEvent => ({ type: 'KeyPressed', key: dtmf.digit })),
  stop: z.object({}).transform((): CarrierEvent => ({ type: 'HungUp' })),
} satisfies CarrierFrames

/** As two of them tell a mark. */
export const markFrame = z
  .object({ mark: z.object({ name: carrierId }) })
  .transform(({ mark }): CarrierEvent => ({ type: 'Reached', mark: mark.name }))
