import { boundary, lmBytes, maxLmOrder, maxLmSymbols } from './lm-format.ts'

const steps = 255
/** Rarer than anything that decides between two readings; the steps are spent on what does. */
const quietestNats = 16

export interface LmBuildOptions {
  readonly order: number
}

/**
 * A character n-gram model of text, one sentence a line, smoothed by Witten and Bell: what a context has not seen yet
 * is as likely as it has seen different things. A line begins and ends like a word does, at a space.
 */
export function buildLm(lines: Iterable<string>, { order }: LmBuildOptions): Uint8Array {
  if (order < 1 || order > maxLmOrder) throw new RangeError(`an order between 1 and ${maxLmOrder}, not ${order}`)
  const sentences = Array.from(lines, normalised).filter((line) => line.length > 0)
  const codePoints = Uint32Array.from(new Set(sentences.flatMap((line) => Array.from(line + boundary, codeOf)))).sort()
  if (codePoints.length === 0) throw new RangeError('a language model needs text')
  if (codePoints.length > maxLmSymbols)
    throw new RangeError(`the text has ${codePoints.length} different characters; at most ${maxLmSymbols} fit`)
  const symbolOf = new Map(Array.from(codePoints, (codePoint, symbol) => [codePoint, symbol]))
  const counts = new CountTrie()
  for (const line of sentences)
    countLine(counts, { order, line: Array.from(boundary + line + boundary, (char) => symbolOf.get(codeOf(char))!) })
  return lmBytes({ order, step: quietestNats / steps, codePoints, ...estimated(counts, codePoints.length, order) })
}

function normalised(line: string): string {
  return line.normalize('NFC').replace(/\s+/gu, boundary).trim()
}

function codeOf(char: string): number {
  return char.codePointAt(0)!
}

/** Every symbol but the opening boundary is counted after each of its contexts, from the longest down to none. */
function countLine(counts: CountTrie, { order, line }: { order: number; line: readonly number[] }): void {
  for (let at = 1; at < line.length; at++)
    for (let from = Math.max(0, at - order + 1); from <= at; from++) {
      let node = 0
      for (let i = from; i <= at; i++) node = counts.child(node, line[i]!)
      counts.count[node] = counts.count[node]! + 1
    }
}

class CountTrie {
  /** How often the node's symbol was seen after the symbols above it. */
  readonly count: number[] = [0]
  readonly children: Map<number, number>[] = [new Map()]

  child(node: number, symbol: number): number {
    const known = this.children[node]!.get(symbol)
    if (known !== undefined) return known
    const created = this.count.push(0) - 1
    this.children.push(new Map())
    this.children[node]!.set(symbol, created)
    return created
  }
}

interface Estimates {
  readonly unknown: number
  readonly first: Uint32Array
  readonly suffix: Uint32Array
  readonly symbol: Uint8Array
  readonly logProb: Uint8Array
  readonly backOff: Uint8Array
}

/** Walks the trie level by level: when a level is reached, everything its estimates lean on is already known. */
function estimated(counts: CountTrie, symbols: number, order: number): Estimates {
  const levels = levelsOf(counts, order)
  const nodes = levels.flat()
  const contexts = nodes.length - (levels[order]?.length ?? 0)
  const placeOf = new Map(nodes.map(({ node }, place) => [node, place]))
  const first = new Uint32Array(contexts + 1)
  const suffix = new Uint32Array(contexts)
  const symbol = Uint8Array.from(nodes, (entry) => entry.symbol)
  const probability = new Float64Array(nodes.length)
  const weight = new Float64Array(contexts)
  const suffixOf = new Int32Array(nodes.length)
  let next = 1
  for (let place = 0; place < contexts; place++) {
    const children = sortedChildren(counts, nodes[place]!.node)
    const seen = children.reduce((sum, child) => sum + counts.count[child.node]!, 0)
    weight[place] = children.length === 0 ? 1 : children.length / (seen + children.length)
    first[place] = next
    suffix[place] = suffixOf[place]!
    for (const child of children) {
      const shorter = place === 0 ? 0 : placeOf.get(counts.children[nodes[suffixOf[place]!]!.node]!.get(child.symbol)!)!
      const lower = place === 0 ? 1 / (symbols + 1) : probability[shorter]!
      const share = seen === 0 ? 0 : counts.count[child.node]! / (seen + children.length)
      suffixOf[next] = shorter
      probability[next++] = share + weight[place]! * lower
    }
  }
  first[contexts] = next
  return {
    unknown: Math.log(weight[0]! / (symbols + 1)),
    first,
    suffix,
    symbol,
    logProb: Uint8Array.from(probability, quantised),
    backOff: Uint8Array.from(weight, quantised),
  }
}

interface TrieEntry {
  readonly node: number
  readonly symbol: number
}

function levelsOf(counts: CountTrie, order: number): TrieEntry[][] {
  const levels: TrieEntry[][] = [[{ node: 0, symbol: 0 }]]
  for (let level = 1; level <= order; level++)
    levels.push(levels[level - 1]!.flatMap(({ node }) => sortedChildren(counts, node)))
  return levels
}

function sortedChildren(counts: CountTrie, node: number): TrieEntry[] {
  return Array.from(counts.children[node]!, ([symbol, child]) => ({ node: child, symbol })).sort(
    (a, b) => a.symbol - b.symbol,
  )
}

function quantised(probability: number): number {
  if (probability <= 0) return steps
  return Math.min(steps, Math.round((-Math.log(probability) * steps) / quietestNats))
}
