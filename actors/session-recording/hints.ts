import type { RecordingHints } from './ports.ts'

/**
 * What holds for a whole recording, from what held for its pieces: of words all that were named and the newest vocabulary, and a language only
 * where there was one, since who changed it speaks two.
 */
export function hintsInAll(hints: readonly RecordingHints[]): RecordingHints {
  const languages = new Set(hints.flatMap(({ language }) => language ?? []))
  const keywords = [...new Set(hints.flatMap((one) => one.keywords ?? []))]
  const [language] = languages
  const vocabulary = hints.findLast((one) => one.vocabulary !== undefined)?.vocabulary
  return {
    ...(language !== undefined && languages.size === 1 && { language }),
    ...(keywords.length > 0 && { keywords }),
    ...(vocabulary !== undefined && { vocabulary }),
  }
}
