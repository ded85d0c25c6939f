import test from 'ava'

import { UserIndex } from '../../gateway/search/user-index.ts'
import { snippetOf } from '../../gateway/search/snippet.ts'
import { searchTerms } from '../../infra/speech/text/search-terms.ts'
import { aBatchId, aFileId } from '../support/builders.ts'

const passage = (text: string) => text.split(' ').map((word, at) => [word, at, at + 0.5] as const)

async function anIndex(...files: (readonly string[])[]) {
  const index = new UserIndex(searchTerms)
  const runs = files.map(() => ({ fileId: aFileId(), batchId: aBatchId() }))
  for (const [at, passages] of files.entries())
    await index.add(`key-${at}`, runs[at]!, { filename: 'a.wav', passages: passages.map(passage) })
  const places = (query: string): string[] =>
    index.search(query).map(({ run, passage: number }) => `${runs.indexOf(run)}.${number}`)
  return { index, places }
}

test('a word is found in either script, and when it is nearly spelt so', async (t) => {
  const { places } = await anIndex(['मेरे दादा आए', 'वह लड़का है'], ['the boy came', 'mere daada'])
  t.deepEqual(places('dada').toSorted(), ['0.0', '1.1'])
  t.deepEqual(places('दादा').toSorted(), ['0.0', '1.1'])
  t.deepEqual(places('ladka'), ['0.1'])
  t.deepEqual(places('larka'), ['0.1'])
  t.deepEqual((await anIndex(['यह नहीं है'])).places('nahi'), ['0.0'])
  t.deepEqual(places('nobody'), [])
})

test('several words are found where all of them are, and the last may be a beginning', async (t) => {
  const { places } = await anIndex(['office ka kaam', 'office band hai', 'ghar ka kaam'])
  t.deepEqual(places('office kaam'), ['0.0'])
  t.deepEqual(places('office ba'), ['0.1'])
})

test('what was forgotten is not found', async (t) => {
  const { index, places } = await anIndex(['one here'], ['one there'])
  index.forget('key-0')
  t.deepEqual(places('one'), ['1.0'])
  t.deepEqual([...index.keys], ['key-1'])
})

test('memory of what was forgotten is given back, and the rest is still found', async (t) => {
  const { index, places } = await anIndex(['one here'], ['one there'])
  const [both, one] = [index.weight, index.weightOf('key-0')!]
  index.forget('key-0')
  t.is(index.weight, both)
  await index.tidy()
  t.is(index.weight, both - one)
  t.deepEqual(places('one'), ['1.0'])
})

test('of more words than anybody says in one breath the first are looked for', async (t) => {
  const { places } = await anIndex([Array.from({ length: 16 }, (_, at) => `${at}`).join(' ')])
  t.deepEqual(places(Array.from({ length: 100 }, (_, at) => `${at}`).join(' ')), ['0.0'])
  t.deepEqual(places('0 0 0 nobody'), [])
})

test('a snippet has what was found with words around it, and its times', (t) => {
  const words = passage(Array.from({ length: 30 }, (_, at) => (at === 12 ? 'दादा,' : `w${at}`)).join(' '))
  const { start, end, snippet } = snippetOf(words, new Set(['dada']), searchTerms)
  t.is(start, 12)
  t.is(end, 12.5)
  t.is(snippet, '… w4 w5 w6 w7 w8 w9 w10 w11 दादा, w13 w14 w15 w16 w17 w18 w19 w20 …')
})
