/**
 * What can honestly be said of an accent without a model trained for it: somebody who also speaks an Indian language in the
 * same recording most likely speaks English with an Indian accent. Of everything else nothing is said.
 */
export interface Accent {
  readonly accent: 'indian'
  readonly confidence: number
}

const indianLanguages = new Set([
  'hi',
  'mr',
  'ne',
  'bn',
  'pa',
  'gu',
  'or',
  'ta',
  'te',
  'kn',
  'ml',
  'ur',
  'as',
  'kok',
  'mai',
  'sa',
])
const leastIndianShare = 0.1
const mostConfidence = 0.8

/** `spoken` are the shares of the languages of all words of this speaker. */
export function accentOf(
  language: string,
  spoken: readonly { readonly code: string; readonly share: number }[],
): Accent | undefined {
  const indian = spoken.filter(({ code }) => indianLanguages.has(code)).reduce((sum, { share }) => sum + share, 0)
  if (language !== 'en' || indian < leastIndianShare) return undefined
  return { accent: 'indian', confidence: Math.min(mostConfidence, 0.5 + indian / 2) }
}
