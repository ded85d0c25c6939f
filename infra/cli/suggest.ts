import { editDistance } from '../speech/text/edit-distance.ts'

/** The one of these that somebody may have meant who mistyped it; nothing when none is close. */
export function closestTo(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, edits: editDistance(word, name) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.edits - other.edits)
  return best?.name
}
