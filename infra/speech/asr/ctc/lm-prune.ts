import type { LmProbabilities } from './lm-back-off.ts'
import type { CountedText } from './lm-count.ts'
import { lmSizeBytes } from './lm-format.ts'
import { countAfter } from './lm-smooth.ts'
import type { Smoothed } from './lm-smooth.ts'
import { contextsOf } from './lm-trie.ts'
import type { LmTrie } from './lm-trie.ts'

/** Enough to tell any two losses apart that a double can tell apart. */
const halvings = 60

export interface WholeModel {
  readonly text: CountedText
  readonly trie: LmTrie
  readonly smoothed: Smoothed
}

/**
 * Leaves out the n-grams that are missed least until the model fits (Stolcke, "Entropy-based pruning of backoff language
 * models", 1998). An n-gram that a longer one continues is worth at least as much as that one: it cannot go alone.
 */
export function pruned(model: WholeModel, mostBytes: number): LmProbabilities {
  const worth = lossWithout(model)
  const bestOfContexts = raiseContexts(worth, model)
  const symbols = model.text.codePoints.length
  return without(model, worth, leastWorth({ worth, bestOfContexts, symbols, mostBytes }))
}

/**
 * How much further the model is from itself without an n-gram (Kullback-Leibler, nats a symbol): the n-gram's own
 * probability becomes what the shorter context gives, and all that this context leaves to the shorter is weighed anew.
 */
export function lossWithout({ text, trie, smoothed }: WholeModel): Float64Array {
  const { first, suffix, childOf } = trie
  const { probability } = smoothed
  const loss = new Float64Array(probability.length).fill(Infinity)
  const all = countAfter(0, trie, text.count)
  for (let context = 1; context < suffix.length; context++) {
    const share = countAfter(context, trie, text.count) / all
    const weight = smoothed.weight[context]!
    const left = smoothed.left[context]!
    for (let ngram = first[context]!; ngram < first[context + 1]!; ngram++) {
      const own = probability[ngram]!
      const lower = probability[childOf(suffix[context]!, text.shape.symbol[ngram]!)]!
      const newWeight = (left + own) / (left / weight + lower)
      loss[ngram] = share * (own * Math.log(own / (lower * newWeight)) + left * Math.log(weight / newWeight))
    }
  }
  return loss
}

/** Gives each n-gram the worth of the best that continues it, if that is more; returns what each context's best is worth. */
function raiseContexts(worth: Float64Array, { trie }: WholeModel): Float64Array {
  const best = new Float64Array(trie.suffix.length)
  for (let ngram = worth.length - 1; ngram > 0; ngram--) {
    const context = trie.contextOf(ngram)
    if (context === 0) continue
    for (let child = trie.first[context]!; child < trie.first[context + 1]!; child++)
      if (worth[child]! > best[context]!) best[context] = worth[child]!
    if (best[context]! > worth[ngram]!) worth[ngram] = best[context]!
  }
  best[0] = Infinity
  return best
}

interface Budget {
  readonly worth: Float64Array
  readonly bestOfContexts: Float64Array
  readonly symbols: number
  readonly mostBytes: number
}

/** The worth from which on n-grams are kept so that the model fits, found by halving. */
function leastWorth({ worth, bestOfContexts, symbols, mostBytes }: Budget): number {
  const sizeFrom = (least: number) =>
    lmSizeBytes({ symbols, contexts: atLeast(bestOfContexts, least), ngrams: atLeast(worth, least) })
  if (sizeFrom(-Infinity) <= mostBytes) return -Infinity
  if (sizeFrom(Infinity) > mostBytes)
    throw new RangeError(`no language model of this text fits into ${mostBytes} bytes`)
  let exceeds = -60 // as logarithms: losses differ by many powers of ten
  let fits = 0
  for (let i = 0; i < halvings; i++) {
    const middle = (fits + exceeds) / 2
    if (sizeFrom(Math.exp(middle)) <= mostBytes) fits = middle
    else exceeds = middle
  }
  return Math.exp(fits)
}

function atLeast(values: Float64Array, least: number): number {
  let count = 0
  for (let i = 0; i < values.length; i++) if (values[i]! >= least) count++
  return count
}

function without({ text, trie, smoothed }: WholeModel, worth: Float64Array, least: number): LmProbabilities {
  const ngrams = atLeast(worth, least)
  const symbol = new Uint8Array(ngrams)
  const children = new Uint8Array(ngrams)
  const probability = new Float64Array(ngrams)
  const left: number[] = []
  for (let ngram = 0, kept = 0; ngram < worth.length; ngram++) {
    if (worth[ngram]! < least) continue
    symbol[kept] = text.shape.symbol[ngram]!
    probability[kept] = smoothed.probability[ngram]!
    const context = trie.contextOf(ngram)
    if (context > 0 || ngram === 0) {
      let remains = smoothed.left[context]!
      for (let child = trie.first[context]!; child < trie.first[context + 1]!; child++)
        if (worth[child]! >= least) children[kept]!++
        else remains += smoothed.probability[child]!
      if (children[kept]! > 0) left.push(remains)
    }
    kept++
  }
  return { shape: { symbol, ...contextsOf(children) }, probability, left: Float64Array.from(left) }
}
