import type { Word } from './recogniser.ts'
import { stretchesOf } from './stretches.ts'
import type { Stretch } from './stretches.ts'

/**
 * The stretch at the end of a clip that is expected in it, since the beginning of the clip was heard before: whoever hears
 * it again need not wait for the first to have heard the rest. Pure: router.ts has the recognisers.
 */
export interface ForeseenStretch {
  readonly language: string
  /** Seconds of the clip, which it lasts to the end of. */
  readonly start: number
}

/** What begins or ends further off than this is something else. */
const mostSecondsOff = 0.2

/** By the words that were last heard of a clip, which may have grown since. */
export function foreseenStretch(
  words: readonly Word[],
  languages: readonly string[],
  clipSeconds: number,
): ForeseenStretch | undefined {
  for (const language of languages) {
    const stretch = stretchesOf(words, language, clipSeconds).at(-1)
    if (stretch && stretch.last === words.length - 1) return { language, start: stretch.start }
  }
  return undefined
}

export function isForeseen(
  { language, start }: ForeseenStretch,
  stretch: Stretch & { readonly language: string },
  clipSeconds: number,
): boolean {
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= mostSecondsOff
  return language === stretch.language && isNear(start, stretch.start) && isNear(clipSeconds, stretch.end)
}
