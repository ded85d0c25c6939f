/** What may be asked of share links. */
export const shareLinkLimits = { perFile: 20, days: 90, usualDays: 7 } as const

/** A link that shows one transcript to whoever has it, and nothing else. */
export interface ShareLink {
  readonly linkId: string
  readonly createdAtMs: number
  readonly untilMs: number
  /** Whether the recording may be heard besides. */
  readonly withAudio: boolean
}

/** What is kept of it: never its secret. */
export interface StoredShareLink extends ShareLink {
  /** Of the secret and of everything that the link says, by a key that neither broker nor storage has: see `infra/identity/link-marks.ts`. */
  readonly mark: string
}
