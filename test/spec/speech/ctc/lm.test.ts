import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import * as fc from 'fast-check'

import { buildLm } from '../../../../infra/speech/asr/ctc/lm-build.ts'
import { lmArrays } from '../../../../infra/speech/asr/ctc/lm-format.ts'
import { openLm } from '../../../../infra/speech/asr/ctc/lm.ts'
import type { CharacterLm } from '../../../../infra/speech/asr/ctc/lm.ts'
import { openSharedLm, roomForLm } from '../../../../infra/speech/asr/ctc/shared-lm.ts'
import { aFolder } from '../../../support/folder.ts'

/** Half a step of 16/255 nats for the value itself, and for each back-off on the way to it. */
const quantisation = 0.032

test('a character after a context has the probability that Kneser and Ney give it', (t) => {
  const matches = fc.property(someText(), fc.integer({ min: 1, max: 4 }), someLine(), (lines, order, spoken) => {
    const lm = openLm(buildLm(lines, { order }))
    const plain = plainKneserNey(lines, order)
    let state = lm.start
    let history = ' '
    for (const char of spoken) {
      const got = lm.score(state, lm.symbolOf(char))
      state = lm.next()
      const wanted = Math.log(plain(history, char))
      if (Math.abs(got - wanted) > quantisation * (order + 1)) return false
      history += char
    }
    return true
  })
  t.notThrows(() => fc.assert(matches, { numRuns: 300 }))
})

test('after any context the probabilities of all characters add up to one', (t) => {
  const lm = openLm(buildLm(['कमल कम चल', 'चल कमल', 'नल पर चल'], { order: 5 }))
  let state = lm.start
  for (const char of 'कमल पर') {
    lm.score(state, lm.symbolOf(char))
    state = lm.next()
    const known = Array.from(' कमलचनपर', (each) => Math.exp(lm.score(state, lm.symbolOf(each))))
    const sum = known.reduce((partial, probability) => partial + probability, Math.exp(lm.score(state, -1)))
    t.true(Math.abs(sum - 1) < 0.08, `after ${char}: ${sum}`)
  }
})

test('text that the model has read is likelier than the same letters in disorder', (t) => {
  const lm = openLm(buildLm(['वह नाला कूद गया', 'वह चुप न हुआ'], { order: 8 }))
  t.true(total(lm, 'वह नाला कूद') > total(lm, 'हव लाना दकू') + 10)
})

test('a character that the text never had is unlikely but not impossible', (t) => {
  const lm = openLm(buildLm(['कमल'], { order: 3 }))
  t.is(lm.symbolOf('x'), -1)
  const score = lm.score(lm.start, -1)
  t.true(Number.isFinite(score) && score < -1)
})

test('who shares a model with others reads it from their memory, and walks it as if it were alone', async (t) => {
  const bytes = buildLm(['वह नाला कूद गया', 'वह चुप न हुआ'], { order: 8 })
  const path = join(await aFolder(t), 'lm.bin')
  await writeFile(path, bytes)
  const shared = (await roomForLm(path))()
  const first = await openSharedLm(path, shared)
  await rm(path)
  const second = await openSharedLm(path, shared)
  const alone = total(openLm(bytes), 'वह नाला चुप हुआ')
  t.deepEqual([total(second, 'वह नाला चुप हुआ'), total(first, 'वह नाला चुप हुआ')], [alone, alone])
})

test('a language model that becomes shorter before it is read is refused', async (t) => {
  const path = join(await aFolder(t), 'lm.bin')
  const bytes = buildLm(['कमल'], { order: 3 })
  await writeFile(path, bytes)
  const shared = (await roomForLm(path))()
  await writeFile(path, bytes.subarray(1))
  await t.throwsAsync(openSharedLm(path, shared), { message: /became shorter/ })
})

test('composed and decomposed letters are the same text', (t) => {
  t.deepEqual(buildLm(['लड़का'], { order: 4 }), buildLm(['लड\u093Cका'], { order: 4 }))
})

test('the same text gives the same bytes, empty lines and odd spaces aside', (t) => {
  t.deepEqual(buildLm(['क  म ', '', 'ल'], { order: 4 }), buildLm(['क म', 'ल'], { order: 4 }))
})

test('no text, too many characters and an impossible order are refused', (t) => {
  t.throws(() => buildLm(['', ' '], { order: 3 }), { message: /needs text/ })
  t.throws(() => buildLm([String.fromCodePoint(...Array.from({ length: 300 }, (_, i) => 0x4e00 + i))], { order: 3 }), {
    message: /at most 255 fit/,
  })
  t.throws(() => buildLm(['a'], { order: 99 }), { message: /between 1 and 12/ })
})

test('bytes that are not a language model are refused with the reason', (t) => {
  const lm = Uint8Array.from(buildLm(['कमल'], { order: 3 }))
  t.throws(() => openLm(lm.slice(0, 10)), { message: /too short/ })
  t.throws(() => openLm(lm.slice(0, -1)), { message: /expected \d+/ })
  t.throws(() => openLm(Uint8Array.from(lm, (byte, i) => (i === 0 ? 0 : byte))), { message: /wrong first bytes/ })
  t.throws(() => openLm(Uint8Array.from(lm, (byte, i) => (i === 4 ? 9 : byte))), { message: /version 9/ })
  const { contextBits, children } = lmArrays(lm)
  for (const { byteOffset } of [contextBits, children])
    t.throws(() => openLm(Uint8Array.from(lm, (byte, i) => (i === byteOffset - lm.byteOffset ? byte ^ 0xff : byte))), {
      message: /do not add up/,
    })
})

function total(lm: CharacterLm, text: string): number {
  let state = lm.start
  let sum = 0
  for (const char of text) {
    sum += lm.score(state, lm.symbolOf(char))
    state = lm.next()
  }
  return sum
}

/** The recursion as it is written in the books, with counts by string. */
function plainKneserNey(lines: readonly string[], order: number): (history: string, char: string) => number {
  const seen = ngramsOf(lines, order)
  const alphabet = [...seen.keys()].filter((ngram) => ngram.length === 1)
  const countOf = (ngram: string): number => {
    if (!seen.has(ngram)) return 0
    if (ngram.length === order) return seen.get(ngram)!
    return Math.max(1, alphabet.filter((before) => seen.has(before + ngram)).length)
  }
  const discounts = Array.from({ length: order + 1 }, (_, length) => {
    const having = (count: number) =>
      [...seen.keys()].filter((ngram) => ngram.length === length && countOf(ngram) === count).length
    const [one, two, three, four] = [1, 2, 3, 4].map(having) as [number, number, number, number]
    const share = one / (one + 2 * two)
    const estimated = [1 - (2 * share * two) / one, 2 - (3 * share * three) / two, 3 - (4 * share * four) / three]
    return estimated.every((discount, i) => discount > 0 && discount <= i + 1) ? estimated : [0.5, 1, 1.5]
  })
  const probability = (context: string, char: string): number => {
    const lower = context === '' ? 1 / (alphabet.length + 1) : probability(context.slice(1), char)
    const counts = alphabet.map((each) => countOf(context + each)).filter((count) => count > 0)
    if (counts.length === 0) return lower
    const discountOf = (count: number) => (count === 0 ? 0 : discounts[context.length + 1]![Math.min(count, 3) - 1]!)
    const all = counts.reduce((sum, count) => sum + count, 0)
    const taken = counts.reduce((sum, count) => sum + discountOf(count), 0)
    const count = countOf(context + char)
    return (count - discountOf(count) + taken * lower) / all
  }
  return (history, char) => probability(history.slice(Math.max(0, history.length - order + 1)), char)
}

function ngramsOf(lines: readonly string[], order: number): Map<string, number> {
  const seen = new Map<string, number>()
  for (const line of lines.map((each) => each.replace(/ +/g, ' ').trim()).filter(Boolean)) {
    const text = ` ${line} `
    for (let at = 1; at < text.length; at++)
      for (let from = Math.max(0, at - order + 1); from <= at; from++) {
        const ngram = text.slice(from, at + 1)
        seen.set(ngram, (seen.get(ngram) ?? 0) + 1)
      }
  }
  return seen
}

function someText(): fc.Arbitrary<string[]> {
  return fc
    .array(someLine(), { minLength: 1, maxLength: 8 })
    .filter((lines) => lines.some((line) => line.trim() !== ''))
}

function someLine(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 12 })
}
