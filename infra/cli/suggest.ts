/** The one of these that somebody may have meant who mistyped it; nothing when none is close. */
export function closestTo(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, edits: editsBetween(word, name) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.edits - other.edits)
  return best?.name
}

/** How many letters have to be put in, taken out or replaced. */
function editsBetween(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      now.push(Math.min(before[column]! + 1, now[column - 1]! + 1, before[column - 1]! + (isSame ? 0 : 1)))
    }
    before = now
  }
  return before[other.length]!
}
