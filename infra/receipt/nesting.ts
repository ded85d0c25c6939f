/** Not by a function that calls itself: what is too deep for that is what is looked for. */
export function isNestedDeeper(value: unknown, levelsMax: number): boolean {
  let level: readonly unknown[] = [value]
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels > levelsMax) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}
