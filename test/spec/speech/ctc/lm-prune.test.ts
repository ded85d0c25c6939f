import test from 'ava'
import * as fc from 'fast-check'

import { backOffWeights } from '../../../../infra/speech/asr/ctc/lm-back-off.ts'
import type { LmProbabilities } from '../../../../infra/speech/asr/ctc/lm-back-off.ts'
import { buildLm } from '../../../../infra/speech/asr/ctc/lm-build.ts'
import { countText } from '../../../../infra/speech/asr/ctc/lm-count.ts'
import { lossWithout, pruned } from '../../../../infra/speech/asr/ctc/lm-prune.ts'
import type { WholeModel } from '../../../../infra/speech/asr/ctc/lm-prune.ts'
import { smoothed } from '../../../../infra/speech/asr/ctc/lm-smooth.ts'
import { wholeTrie } from '../../../../infra/speech/asr/ctc/lm-trie.ts'
import type { LmShape, LmTrie } from '../../../../infra/speech/asr/ctc/lm-trie.ts'

test('after any context of a pruned model the probabilities of all characters add up to one', (t) => {
  const addUp = fc.property(someText(), fc.double({ min: 0.1, max: 1, noNaN: true }), (lines, share) => {
    const model = modelOf(lines, 4)
    const size = buildLm(lines, { order: 4 }).length
    const least = buildLm(lines, { order: 1 }).length
    const kept = pruned(model, least + share * (size - least))
    const trie = wholeTrie(kept.shape)
    const after = probabilities(kept, trie)
    return kept.left.every((_, context) => Math.abs(after(context).reduce((sum, each) => sum + each) - 1) < 1e-9)
  })
  t.notThrows(() => fc.assert(addUp, { numRuns: 300 }))
})

test('what an n-gram is worth is the entropy that its context loses without it', (t) => {
  const model = modelOf(['ab ab ac ba', 'abc cab bab', 'ab cab'], 3)
  const { text, trie } = model
  const whole = { shape: text.shape, ...model.smoothed }
  const loss = lossWithout(model)
  const all = text.count.subarray(trie.first[0], trie.first[1]).reduce((sum, each) => sum + each, 0)
  const before = probabilities(whole, trie)
  let compared = 0
  for (let context = 1; context < trie.suffix.length; context++)
    for (let ngram = trie.first[context]!; ngram < trie.first[context + 1]!; ngram++) {
      const now = before(context)
      const lower = before(trie.suffix[context]!)
      const listed = now.map((_, symbol) => {
        const child = trie.childOf(context, symbol)
        return child !== 0 && child !== ngram
      })
      const outside = (input: readonly number[]) =>
        input.reduce((sum, each, symbol) => sum + (listed[symbol] ? 0 : each), 0)
      const weight = outside(now) / outside(lower)
      const then = now.map((each, symbol) => (listed[symbol] ? each : weight * lower[symbol]!))
      const divergence = now.reduce((sum, each, symbol) => sum + each * Math.log(each / then[symbol]!), 0)
      const seen = text.count
        .subarray(trie.first[context], trie.first[context + 1])
        .reduce((sum, each) => sum + each, 0)
      t.true(Math.abs(loss[ngram]! - (seen / all) * divergence) < 1e-12)
      compared++
    }
  t.true(compared > 20)
})

test('a pruned model is no larger than it may be, and nothing in it is worth less than what was left out', (t) => {
  const keepsBest = fc.property(someText(), fc.double({ min: 0.2, max: 0.9, noNaN: true }), (lines, share) => {
    const model = modelOf(lines, 4)
    const least = buildLm(lines, { order: 1 }).length
    const mostBytes = Math.floor(least + share * (buildLm(lines, { order: 4 }).length - least))
    const kept = pruned(model, mostBytes)
    const worth = new Map(namesOf(model.text.shape).map((name, ngram) => [name, lossWithout(model)[ngram]!]))
    const names = namesOf(kept.shape)
    const leaves = names.filter((name) => !names.some((other) => other.length > name.length && other.startsWith(name)))
    const leftOut = [...worth.keys()].filter((name) => !names.includes(name))
    const lowest = Math.min(...leaves.map((name) => worth.get(name)!))
    const built = buildLm(lines, { order: 4, mostBytes })
    return built.length <= mostBytes && leftOut.every((name) => worth.get(name)! < lowest)
  })
  t.notThrows(() => fc.assert(keepsBest, { numRuns: 100 }))
})

test('a size that not even single characters fit into is refused', (t) => {
  t.throws(() => buildLm(['कमल'], { order: 3, mostBytes: 20 }), { message: /fits into 20 bytes/ })
})

function modelOf(lines: readonly string[], order: number): WholeModel {
  const text = countText(lines, order)
  const trie = wholeTrie(text.shape)
  return { text, trie, smoothed: smoothed(text, trie) }
}

/** Of every symbol after a context, and last of one that the text never had, by the definition of backing off. */
function probabilities(model: LmProbabilities, trie: LmTrie): (context: number) => number[] {
  const weights = backOffWeights(model, trie)
  const symbols = model.shape.children[0]!
  const after = (context: number, symbol: number): number => {
    const ngram = symbol === symbols ? 0 : trie.childOf(context, symbol)
    if (ngram !== 0) return model.probability[ngram]!
    return context === 0 ? model.left[0]! : weights[context]! * after(trie.suffix[context]!, symbol)
  }
  return (context) => Array.from({ length: symbols + 1 }, (_, symbol) => after(context, symbol))
}

/** Each n-gram of a model as text, a letter for a symbol. */
function namesOf(shape: LmShape): string[] {
  const trie = wholeTrie(shape)
  const names = ['']
  for (let ngram = 0; ngram < shape.symbol.length; ngram++) {
    const context = trie.contextOf(ngram)
    if (context === 0 && ngram > 0) continue
    for (let child = trie.first[context]!; child < trie.first[context + 1]!; child++)
      names[child] = names[ngram]! + String.fromCodePoint(97 + shape.symbol[child]!)
  }
  return names
}

function someText(): fc.Arbitrary<string[]> {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 12 })
  return fc.array(line, { minLength: 1, maxLength: 8 }).filter((lines) => lines.some((each) => each.trim() !== ''))
}
