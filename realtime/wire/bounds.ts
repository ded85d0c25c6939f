/**
 * Whether JSON is small enough to look at: schemas visit every value, and writing it back goes as deep as it does. Both
 * are bounded here once, before anything else reads it.
 */
export function isWithin(
  raw: unknown,
  { values, depth }: { readonly values: number; readonly depth: number },
): boolean {
  let level: unknown[] = [raw]
  let seen = 0
  for (let at = 0; level.length > 0; at += 1) {
    if (at > depth) return false
    const below: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      const inside = Object.values(value)
      seen += inside.length
      if (seen > values) return false
      for (const one of inside) below.push(one)
    }
    level = below
  }
  return true
}
