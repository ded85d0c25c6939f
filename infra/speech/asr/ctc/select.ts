interface ScoredPrefix {
  readonly items: Int32Array
  readonly scores: Float64Array
  readonly size: number
}

/** Writes the best items to `kept`, at most `width` and none worse than the best by more than `margin`; returns how many. */
export function keepBest(all: ScoredPrefix, limits: { width: number; margin: number }, kept: Int32Array): number {
  let best = -Infinity
  for (let i = 0; i < all.size; i++) if (all.scores[i]! > best) best = all.scores[i]!
  const floor = best - limits.margin
  let near = 0
  for (let i = 0; i < all.size; i++) if (all.scores[i]! >= floor) near++
  const bar = near <= limits.width ? floor : Math.max(floor, nthHighest(all, limits.width))
  let count = 0
  for (let i = 0; i < all.size && count < limits.width; i++) if (all.scores[i]! > bar) kept[count++] = all.items[i]!
  for (let i = 0; i < all.size && count < limits.width; i++) if (all.scores[i] === bar) kept[count++] = all.items[i]!
  return count
}

/** Hoare's selection, on a copy. */
function nthHighest({ scores, size }: ScoredPrefix, n: number): number {
  const copy = scores.slice(0, size)
  let low = 0
  let high = size - 1
  while (low < high) {
    const pivot = copy[(low + high) >> 1]!
    let i = low
    let j = high
    while (i <= j) {
      while (copy[i]! > pivot) i++
      while (copy[j]! < pivot) j--
      if (i > j) break
      const swapped = copy[i]!
      copy[i++] = copy[j]!
      copy[j--] = swapped
    }
    if (n - 1 <= j) high = j
    else if (n - 1 >= i) low = i
    else break
  }
  return copy[n - 1]!
}
