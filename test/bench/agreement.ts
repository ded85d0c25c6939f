/** A stretch of speech: who speaks, and who was taken for the speaker. */
export interface Attribution {
  readonly truth: string
  readonly guess: string
  readonly weight: number
}

/** The share that agrees under the best one-to-one naming, found greedily. */
export function agreement(attributions: readonly Attribution[]): number {
  const taken = new Set<string>()
  let right = 0
  for (const { truth, guess, weight } of pairsOf(attributions)) {
    if (taken.has(`is ${truth}`) || taken.has(`named ${guess}`)) continue
    taken.add(`is ${truth}`).add(`named ${guess}`)
    right += weight
  }
  return right / total(attributions)
}

/** The share that belongs to whoever says most under its name: what is left when a name is split is not held against it. */
export function purity(attributions: readonly Attribution[]): number {
  const most = new Map<string, number>()
  for (const { guess, weight } of pairsOf(attributions)) most.set(guess, Math.max(most.get(guess) ?? 0, weight))
  return Array.from(most.values()).reduce((sum, weight) => sum + weight, 0) / total(attributions)
}

/** One of each truth with each guess, the heaviest first. */
function pairsOf(attributions: readonly Attribution[]): Attribution[] {
  const pairs = new Map<string, Attribution>()
  for (const one of attributions) {
    const key = JSON.stringify([one.truth, one.guess])
    pairs.set(key, { ...one, weight: one.weight + (pairs.get(key)?.weight ?? 0) })
  }
  return Array.from(pairs.values()).sort((a, b) => b.weight - a.weight)
}

function total(attributions: readonly Attribution[]): number {
  return attributions.reduce((sum, { weight }) => sum + weight, 0)
}
