import type { FollowOptions } from '../../../../actors/conversation/ports.ts'

/** When a turn is looked at while it is spoken, and how long that may take. */

/** From one look to the next there is at least so much more to hear… */
const stepSeconds = 0.12
/** …and the recogniser is free for others for half as long as a look took. */
const restShare = 1.5
/** Who is told nothing needs no look before a pause, as long as the rest is soon transcribed. */
const stepUntoldSeconds = 8
/** A pause that ends a turn lasts half a second unless a client says otherwise: what takes so long is known by then. */
const pauseMs = 400
/** Who is told nothing was not looked at before: whether a part is English, and to be heard again, is only known then. */
const pauseUntoldMs = 250
/** Where the words decide how long the pause lasts, the answer waits for them. */
const judgedPauseMs = 150

interface SinceLook {
  /** How much more was said. */
  readonly seconds: number
  /** How long the look took, with the wait for a recogniser. */
  readonly tookMs: number
}

export function isTimeToLook({ seconds, tookMs }: SinceLook, { tell }: Pick<FollowOptions, 'tell'>): boolean {
  return seconds >= (tell ? Math.max(stepSeconds, (restShare * tookMs) / 1_000) : stepUntoldSeconds)
}

/** How long a look may take without anybody noticing. */
export function lookWithinMs({ judgePause, tell }: Pick<FollowOptions, 'judgePause' | 'tell'>): number {
  if (judgePause) return judgedPauseMs
  return tell ? pauseMs : pauseUntoldMs
}
