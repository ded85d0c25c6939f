/** Numbers that look random and follow from the seed alone. */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number in [0, limit). */
  below(limit: number): number
  /** A whole number in [from, to]. */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** Streams of one seed do not disturb each other: another draw in one changes nothing in the others. */
export function createRandom(seed: number, stream: string): Random {
  let state = mix(seed >>> 0)
  for (const letter of stream) state = mix(state ^ letter.charCodeAt(0))

  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    return mix(state) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    between: (from, to) => from + below(to - from + 1),
    chance: (probability) => probability > 0 && next() < probability,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}

/** A bijection of 32 bits in which every bit of the answer depends on every bit of the question. */
function mix(value: number): number {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}
