// Makes infra/speech/text/word-lists.ts out of a Hindi text in Devanagari and an English one:
//   node .build/infra/dev/train-words.js hindi.txt english.txt > infra/speech/text/word-lists.ts
import { readFileSync } from 'node:fs'

import { loanwordInLatin } from '../speech/text/loanwords.ts'
import { romaniseInFull } from '../speech/text/romanise.ts'
import { biasFeature, featureCount, featuresOf, weightScale } from '../speech/text/word-leaning.ts'

const hindiListed = 2_500
const englishListed = 2_500
const epochs = 12
const learningRate = 0.05
const decay = 1e-5

/** Speeches and novels do not say these, people do. */
const everyday =
  'ok okay yeah yes hi hey bye thanks please sorry actually basically really maybe totally exactly anyway literally cool nice awesome great guys dude bro boss sir madam phone mobile call video photo app online internet email message office meeting traffic weekend sunday monday tuesday wednesday thursday friday saturday birthday party movie lunch dinner breakfast coffee tea pizza shopping mall bus train flight ticket hotel doctor hospital exam college class homework project laptop computer file folder click download upload update password login link share like comment subscribe channel follow friend family husband wife girlfriend boyfriend mom dad uncle aunty cousin baby kid cute funny crazy boring tension problem issue solution idea plan ready busy free late early fast slow cheap expensive discount offer payment cash card bank loan salary job interview manager team client customer service support order delivery cancel confirm check book'.split(
    ' ',
  )

const [, , hindiPath, englishPath] = process.argv
if (!hindiPath || !englishPath) throw new Error('name a Hindi text and an English one')
const hindi = frequencies(readFileSync(hindiPath, 'utf8').normalize('NFC'), /[\u0900-\u0963\u0970-\u097f]+/g)
const english = frequencies(readFileSync(englishPath, 'utf8').toLowerCase(), /[a-z]+(?:'[a-z]+)?/g)

const native = hindi.filter(([word]) => loanwordInLatin(word) === undefined)
const hindiWords = native.slice(0, hindiListed).map(([word]) => word)
const common = english.map(([word]) => word).filter((word) => word.length > 1 || word === 'a' || word === 'i')
const listed = common.slice(0, englishListed)
const englishWords = [
  ...listed.slice(0, 300),
  ...everyday.filter((word) => !listed.slice(0, 300).includes(word)),
  ...listed.slice(300),
]

const examples = [
  ...native.flatMap(([word, count]) => spellings(romaniseInFull(word)).map((text) => ({ text, label: 1, count }))),
  ...english.filter(([, count]) => count > 1).map(([text, count]) => ({ text, label: 0, count })),
]
const weights = train(examples)

console.log(`/**
 * Made by infra/dev/train-words.ts from children's stories of Pratham Books (CC BY 4.0) and news transcripts for Hindi, and
 * from speeches and a novel in the public domain for English. Words are in order of frequency.
 */
${declared('hindiWords: readonly string[]', `'${hindiWords.join(' ')}'.split(' ')`)}
${declared('englishWords: readonly string[]', `"${Array.from(new Set(englishWords)).join(' ')}".split(' ')`)}
${declared('leaningWeights', `'${Buffer.from(Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight * weightScale)))).buffer).toString('base64')}'`)}
`)

function declared(name: string, value: string): string {
  return `export const ${name} =\n  ${value}`
}

function frequencies(text: string, word: RegExp): [string, number][] {
  const counts = new Map<string, number>()
  for (const [found] of text.matchAll(word)) counts.set(found, (counts.get(found) ?? 0) + 1)
  return Array.from(counts).sort((a, b) => b[1] - a[1])
}

/** Ways in which people would type it. */
function spellings(latin: string): string[] {
  const short = latin.replaceAll('aa', 'a').replaceAll('ee', 'i').replaceAll('oo', 'u')
  const loose = short.replaceAll('chh', 'ch').replaceAll('ph', 'f').replace(/n$/, '')
  return Array.from(new Set([latin, short, loose, latin.replaceAll('v', 'w'), short.replaceAll('z', 'j')])).filter(
    Boolean,
  )
}

interface Example {
  readonly text: string
  readonly label: number
  readonly count: number
}

/** Logistic regression; a word counts by the logarithm of its frequency, and both languages count the same in all. */
function train(given: readonly Example[]): Float64Array {
  const learnt = new Float64Array(featureCount)
  const prepared = given.map(({ text, label, count }) => ({
    features: [biasFeature, ...featuresOf(text)],
    label,
    weight: Math.log1p(count),
  }))
  const total = (label: number): number =>
    prepared.filter((one) => one.label === label).reduce((sum, one) => sum + one.weight, 0)
  const balance = [1, total(0) / total(1)]
  const random = seeded(1)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let at = prepared.length - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1))
      ;[prepared[at], prepared[other]] = [prepared[other]!, prepared[at]!]
    }
    for (const { features, label, weight } of prepared) {
      const score = features.reduce((sum, feature) => sum + learnt[feature]!, 0)
      const error = label - 1 / (1 + Math.exp(-score))
      const step = learningRate * error * Math.min(3, weight * balance[label]!)
      for (const feature of features) learnt[feature]! += step - learningRate * decay * learnt[feature]!
    }
  }
  return learnt
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
