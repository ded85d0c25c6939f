/**
 * All n-grams of a model as a trie in flat arrays. N-grams are numbered level by level and, on a level, in the order of
 * their symbols, so that siblings are neighbours and need no pointers; number 0 is the empty one. A context is an
 * n-gram that others continue; contexts have numbers of their own, in the same order.
 */
export interface LmShape {
  /** A bit for each n-gram: whether it is a context. */
  readonly contextBits: Uint32Array
  /** How many n-grams continue each context. */
  readonly children: Uint8Array
  /** The newest symbol of each n-gram, ascending among siblings. */
  readonly symbol: Uint8Array
}

/** What follows from the shape. */
export interface LmLinks {
  /** The n-gram that continues each context first; the next entry is where they end. */
  readonly first: Uint32Array
  /** The longest context that each context ends in, itself aside: known for those that were reached by `follow`, 0 for others. */
  readonly suffix: Uint32Array
}

export interface LmTrie extends LmLinks {
  /** The n-gram that continues a context with a symbol, or 0. */
  readonly childOf: (context: number, symbol: number) => number
  /** The number of an n-gram as a context, or 0 if it is none. */
  readonly contextOf: (ngram: number) => number
  /** The longest context that a known context and a symbol after it end in. */
  readonly follow: (context: number, symbol: number) => number
}

export function lmTrie({ contextBits, children, symbol: symbols }: LmShape, links = linksOf(children)): LmTrie {
  const { first, suffix } = links
  const before = bitsBefore(contextBits)
  // Whoever walks the trie relies on it: as many contexts as are marked, and a place for every n-gram but the empty one.
  if (before.at(-1) !== children.length || first.at(-1) !== symbols.length || (contextBits[0]! & 1) === 0)
    throw new Error('a damaged language model: its n-grams do not add up')

  function childOf(context: number, symbol: number): number {
    let low = first[context]!
    let high = first[context + 1]! - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = symbols[middle]!
      if (found === symbol) return middle
      if (found < symbol) low = middle + 1
      else high = middle - 1
    }
    return 0
  }

  function contextOf(ngram: number): number {
    const bits = contextBits[ngram >> 5]!
    const bit = 1 << (ngram & 31)
    return (bits & bit) === 0 ? 0 : before[ngram >> 5]! + bitsIn(bits & (bit - 1))
  }

  // To work out all suffixes takes longer than to open a model may, and speech comes by few of them.
  function follow(context: number, symbol: number): number {
    let shorter = context
    let found = contextOf(childOf(shorter, symbol))
    while (found === 0 && shorter !== 0) {
      shorter = suffix[shorter]!
      found = contextOf(childOf(shorter, symbol))
    }
    if (suffix[found] === 0 && shorter !== 0) suffix[found] = follow(suffix[shorter]!, symbol)
    return found
  }

  return { first, suffix, childOf, contextOf, follow }
}

/** A trie in which every suffix is known. Level by level: what a context continues comes before it. */
export function wholeTrie(shape: LmShape): LmTrie {
  const trie = lmTrie(shape)
  for (let context = 0; context < shape.children.length; context++)
    for (let ngram = trie.first[context]!; ngram < trie.first[context + 1]!; ngram++)
      if (trie.contextOf(ngram) !== 0) trie.follow(context, shape.symbol[ngram]!)
  return trie
}

/** Marks the n-grams that have children, and keeps the number for them alone. */
export function contextsOf(children: Uint8Array): Pick<LmShape, 'contextBits' | 'children'> {
  const contextBits = new Uint32Array(Math.ceil(children.length / 32))
  const ofContexts = new Uint8Array(children.length)
  let contexts = 0
  for (let ngram = 0; ngram < children.length; ngram++) {
    if (children[ngram] === 0) continue
    contextBits[ngram >> 5] = contextBits[ngram >> 5]! | (1 << (ngram & 31))
    ofContexts[contexts++] = children[ngram]!
  }
  return { contextBits, children: ofContexts.slice(0, contexts) }
}

function linksOf(children: Uint8Array): LmLinks {
  const first = new Uint32Array(children.length + 1)
  firstChildren(children, first)
  return { first, suffix: new Uint32Array(children.length) }
}

export function firstChildren(children: Uint8Array, first: Uint32Array): void {
  first[0] = 1
  for (let context = 0; context < children.length; context++) first[context + 1] = first[context]! + children[context]!
}

/** For each word of the bits, how many are set in the words before it, and last how many there are. */
function bitsBefore(words: Uint32Array): Uint32Array {
  const before = new Uint32Array(words.length + 1)
  for (let i = 0; i < words.length; i++) before[i + 1] = before[i]! + bitsIn(words[i]!)
  return before
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55)
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33)
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24
}
