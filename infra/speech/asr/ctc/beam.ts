import { hotwordTree, rememberTree } from './hotwords.ts'
import type { Hotwords, ListenedFor } from './hotwords.ts'
import type { CharacterLm } from './lm.ts'
import type { LogProbs } from './logits.ts'
import { PrefixTree } from './prefixes.ts'
import { keepBest } from './select.ts'
import type { CtcVocabulary } from './vocabulary.ts'

interface BeamOptions {
  /** How many prefixes survive a frame. */
  readonly width: number
  /** Symbols less likely than this in a frame (nats) are not followed. */
  readonly symbolFloor: number
  /** Prefixes worse than the best by more than this (nats) do not survive a frame. */
  readonly margin: number
  /** Weight of the language model. */
  readonly alpha: number
  /** What a symbol is worth (nats), against the language model's liking for short texts. */
  readonly beta: number
}

/** Chosen by cross-validation: see the card of the models. */
export const defaultBeamOptions: BeamOptions = { width: 48, symbolFloor: -9, margin: 12, alpha: 1.3, beta: 1 }

type BeamDecoder = (logProbs: LogProbs, listensFor?: ListenedFor) => number[]

/**
 * Prefix beam search: the likeliest text rather than the likeliest path, weighed by a character language model. The
 * decoder keeps its arrays between clips, so it is for one clip at a time.
 */
export function beamDecoder(vocabulary: CtcVocabulary, lm: CharacterLm, options = defaultBeamOptions): BeamDecoder {
  const search = new BeamSearch(vocabulary, lm, options)
  const treeOf = rememberTree(vocabulary)
  return (logProbs, listensFor = { hotwords: [] }) => search.run(logProbs, treeOf(listensFor))
}

class BeamSearch {
  readonly #tree = new PrefixTree()
  readonly #lmSymbols: Int32Array
  readonly #candidates: Int32Array
  #beam: Int32Array
  #beamSize = 0
  #touched: Int32Array
  #touchedSize = 0
  #scores: Float64Array
  #hotwords: Hotwords

  constructor(
    readonly vocabulary: CtcVocabulary,
    readonly lm: CharacterLm,
    readonly options: BeamOptions,
  ) {
    const symbols = vocabulary.symbols.length
    this.#lmSymbols = Int32Array.from(vocabulary.symbols, (symbol) => lm.symbolOf(symbol))
    this.#candidates = new Int32Array(symbols)
    this.#beam = new Int32Array(options.width)
    this.#touched = new Int32Array(options.width * (symbols + 1))
    this.#scores = new Float64Array(options.width * (symbols + 1))
    this.#hotwords = hotwordTree([], vocabulary)
  }

  run({ data, frames, symbols }: LogProbs, hotwords: Hotwords): number[] {
    this.#hotwords = hotwords
    this.#begin()
    for (let frame = 0; frame < frames; frame++) {
      this.#advance(data.subarray(frame * symbols, (frame + 1) * symbols), frame)
      this.#prune()
    }
    return this.#tree.sequence(this.#best())
  }

  #begin(): void {
    const tree = this.#tree
    tree.clear()
    tree.state[0] = this.lm.start
    tree.prior[0] = 0
    tree.hotword[0] = this.#hotwords.root
    tree.credit[0] = 0
    tree.blank[0] = 0
    tree.spoken[0] = -Infinity
    this.#beam[0] = 0
    this.#beamSize = 1
  }

  #advance(row: Float32Array, frame: number): void {
    const tree = this.#tree
    const candidates = this.#candidatesOf(row)
    const floor = this.#stayingBest(row) - this.options.margin - Math.max(0, this.options.beta)
    const silent = row[this.vocabulary.blank]!
    this.#touchedSize = 0
    for (let b = 0; b < this.#beamSize; b++) {
      const prefix = this.#beam[b]!
      const last = tree.symbol[prefix]!
      const ended = tree.blank[prefix]!
      const going = tree.spoken[prefix]!
      const either = logSum(ended, going)
      this.#touch(prefix, frame)
      tree.nextBlank[prefix] = logSum(tree.nextBlank[prefix]!, either + silent)
      if (last >= 0) tree.nextSpoken[prefix] = logSum(tree.nextSpoken[prefix]!, going + row[last]!)
      const bar = floor - tree.prior[prefix]!
      for (let i = 0; i < candidates; i++) {
        const symbol = this.#candidates[i]!
        const score = (symbol === last ? ended : either) + row[symbol]!
        if (score < bar) continue
        const longer = this.#extend(prefix, symbol)
        this.#touch(longer, frame)
        tree.nextSpoken[longer] = logSum(tree.nextSpoken[longer]!, score)
      }
    }
  }

  #candidatesOf(row: Float32Array): number {
    let count = 0
    for (let symbol = 0; symbol < row.length; symbol++)
      if (symbol !== this.vocabulary.blank && row[symbol]! > this.options.symbolFloor)
        this.#candidates[count++] = symbol
    return count
  }

  /** What the best prefix scores if nothing is said in this frame: no survivor will be worse than this by the margin. */
  #stayingBest(row: Float32Array): number {
    const tree = this.#tree
    let best = -Infinity
    for (let b = 0; b < this.#beamSize; b++) {
      const prefix = this.#beam[b]!
      const either = Math.max(tree.blank[prefix]!, tree.spoken[prefix]!) + row[this.vocabulary.blank]!
      best = Math.max(best, either + tree.prior[prefix]!)
    }
    return best
  }

  #touch(prefix: number, frame: number): void {
    const tree = this.#tree
    if (tree.frame[prefix] === frame) return
    tree.frame[prefix] = frame
    tree.nextBlank[prefix] = -Infinity
    tree.nextSpoken[prefix] = -Infinity
    this.#touched[this.#touchedSize++] = prefix
  }

  #extend(prefix: number, symbol: number): number {
    const tree = this.#tree
    const known = tree.find(prefix, symbol)
    if (known >= 0) return known
    const created = tree.add(prefix, symbol)
    const likelihood = this.lm.score(tree.state[prefix]!, this.#lmSymbols[symbol]!)
    tree.state[created] = this.lm.next()
    const worth = this.options.alpha * likelihood + this.options.beta
    tree.prior[created] = tree.prior[prefix]! + worth + this.#favour(created, prefix)
    return created
  }

  /** Credit for following a hotword is given symbol by symbol and taken back in one when the text leaves it. */
  #favour(created: number, prefix: number): number {
    const tree = this.#tree
    const hotwords = this.#hotwords
    const symbol = tree.symbol[created]!
    const place = hotwords.step(tree.hotword[prefix]!, symbol)
    const begins = symbol === this.vocabulary.space
    const owed = begins && hotwords.isWhole(tree.hotword[prefix]!) ? 0 : tree.credit[prefix]!
    const follows = place !== hotwords.dead
    tree.hotword[created] = begins && !follows ? hotwords.root : place
    const bonus = hotwords.bonusAt(place)
    tree.credit[created] = follows ? owed + bonus : 0
    return follows ? bonus : -owed
  }

  #prune(): void {
    const tree = this.#tree
    for (let i = 0; i < this.#touchedSize; i++) {
      const prefix = this.#touched[i]!
      tree.blank[prefix] = tree.nextBlank[prefix]!
      tree.spoken[prefix] = tree.nextSpoken[prefix]!
      this.#scores[i] = logSum(tree.blank[prefix], tree.spoken[prefix]) + tree.prior[prefix]!
    }
    const all = { items: this.#touched, scores: this.#scores, size: this.#touchedSize }
    this.#beamSize = keepBest(all, this.options, this.#beam)
  }

  /** The text ends like a word does, and a hotword that was only begun does not count. */
  #best(): number {
    const tree = this.#tree
    const space = this.#lmSymbols[this.vocabulary.space]!
    let best = 0
    let highest = -Infinity
    for (let b = 0; b < this.#beamSize; b++) {
      const prefix = this.#beam[b]!
      const ending = this.options.alpha * this.lm.score(tree.state[prefix]!, space)
      const owed = this.#hotwords.isWhole(tree.hotword[prefix]!) ? 0 : tree.credit[prefix]!
      const score = logSum(tree.blank[prefix]!, tree.spoken[prefix]!) + tree.prior[prefix]! + ending - owed
      if (score <= highest) continue
      highest = score
      best = prefix
    }
    return best
  }
}

/** log(e^a + e^b), exact to what a double can tell. */
function logSum(a: number, b: number): number {
  const high = a > b ? a : b
  const gap = a > b ? b - a : a - b
  return gap > -36 ? high + Math.log1p(Math.exp(gap)) : high
}
