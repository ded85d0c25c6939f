/** Which recogniser hears a chunk. Pure: router.ts has the models. */

/** How sure the detector is, 0..1 each. */
export type LanguageLikelihoods = Readonly<Record<string, number>>

export type Route =
  | { readonly type: 'One'; readonly language: string }
  /** Too close to call: both hear it. The first is `odds` times as likely as the second, which must sound so much better. */
  | { readonly type: 'Both'; readonly languages: readonly [string, string]; readonly odds: number }

/** Below this the second guess is asked too. */
const sureEnough = 0.85
/** Less likely than this, and a second guess is not worth its time. */
const worthAsking = 0.05

/**
 * Spoken Hindi and Urdu are one language to a detector that only listens. What it takes for a neighbour of Hindi in a short
 * clip is far more often Hindi than English.
 */
const nearHindi: ReadonlySet<string> = new Set('ur pa mr ne gu sd bn as sa ta te kn ml si'.split(' '))

export function chooseRoute(likelihoods: LanguageLikelihoods, known: readonly string[]): Route {
  const merged = new Map<string, number>()
  for (const [language, likelihood] of Object.entries(likelihoods)) {
    const name = nearHindi.has(language) && !known.includes(language) ? 'hi' : language
    if (known.includes(name)) merged.set(name, (merged.get(name) ?? 0) + likelihood)
  }
  const sum = [...merged.values()].reduce((total, one) => total + one, 0)
  const ranked = [...merged]
    .map(([language, of]) => ({ language, share: sum > 0 ? of / sum : 0 }))
    .sort((one, other) => other.share - one.share)
  const [first, second] = ranked
  if (!first) return { type: 'One', language: known[0] ?? 'en' }
  if (!second || first.share >= sureEnough || second.share < worthAsking)
    return { type: 'One', language: first.language }
  return { type: 'Both', languages: [first.language, second.language], odds: first.share / second.share }
}
