/**
 * Which files a client was told of, as it comes back in `Last-Event-ID`: how many of the first without a gap, then a bit for
 * each of the next. Files settle about in order, so it stays short; and no gateway has to remember anything.
 */
export function cursorOf(told: ReadonlySet<number>): string {
  let first = 0
  while (told.has(first)) first += 1
  const later = [...told].filter((index) => index > first).map((index) => index - first)
  if (later.length === 0) return String(first)
  const bytes = Buffer.alloc(Math.floor(later.reduce((most, one) => Math.max(most, one), 0) / 8) + 1)
  for (const index of later) bytes[index >> 3]! |= 1 << (index & 7)
  return `${first}.${bytes.toString('base64url')}`
}

/** Nothing when it is none of ours. */
export function readCursor(text: string, total: number): Set<number> | undefined {
  const [, count, bits = ''] = /^(\d{1,7})(?:\.([\w-]{1,4000}))?$/.exec(text) ?? []
  const first = Number(count)
  if (count === undefined || first > total) return undefined
  const told = new Set(Array.from({ length: first }, (_, index) => index))
  for (const [at, byte] of Buffer.from(bits, 'base64url').entries())
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) told.add(first + at * 8 + bit)
  for (const index of told) if (index >= total) told.delete(index)
  return told
}
