/** Which recogniser hears a chunk. Pure: router.ts has the models. */

/** How sure the detector is, 0..1 each. */
export type LanguageLikelihoods = Readonly<Record<string, number>>

export type Route =
  | { readonly type: 'One'; readonly language: string }
  /** Too close to call: both hear it, and the better one is kept. */
  | { readonly type: 'Both'; readonly languages: readonly [string, string] }

/** Below this the second guess is asked too. */
const sureEnough = 0.85
/** Less likely than this, and a second guess is not worth its time. */
const worthAsking = 0.05

/** Spoken Hindi and Urdu are one language to a detector that only listens; here it is written in Devanagari. */
const heardAs: Readonly<Record<string, string>> = { ur: 'hi' }

export function chooseRoute(likelihoods: LanguageLikelihoods, known: readonly string[]): Route {
  const merged = new Map<string, number>()
  for (const [language, likelihood] of Object.entries(likelihoods)) {
    const name = heardAs[language] ?? language
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
  return { type: 'Both', languages: [first.language, second.language] }
}
