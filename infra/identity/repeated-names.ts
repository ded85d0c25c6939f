const stringAndMaybeColon = /"(?:[^"\\]|\\.)*"\s*(:?)/g

/**
 * True when an object of this valid JSON names a member twice. `JSON.parse` keeps the last of them, another parser on the
 * way may keep the first, and then two machines would read two different users from one token.
 */
export function repeatsName(json: string): boolean {
  return namesWritten(json) !== namesKept(JSON.parse(json))
}

function namesWritten(json: string): number {
  return Array.from(json.matchAll(stringAndMaybeColon)).filter(([, colon]) => colon === ':').length
}

/** A list of what is left to visit, not recursion: the depth is chosen by whoever wrote the JSON. */
function namesKept(parsed: unknown): number {
  const left = [parsed]
  let names = 0
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    const members: unknown[] = Object.values(value)
    if (!Array.isArray(value)) names += members.length
    left.push(...members)
  }
  return names
}
