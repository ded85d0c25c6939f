import test from 'ava'

import { searchTerms } from '../../../infra/speech/text/search-terms.ts'

for (const [one, other] of [
  ['दादा', 'dada'],
  ['लड़का', 'ladka'],
  ['ऑफिस', 'Office,'],
  ['क्या', 'kya'],
  ['बहुत।', 'bahut'],
  ['पानी', 'paani'],
] as const)
  test(`${one} and ${other} are looked up alike`, (t) => {
    t.deepEqual(searchTerms(one), searchTerms(other))
    t.is(searchTerms(one).length, 1)
  })

test('words of a text are looked up one by one, without what surrounds them', (t) => {
  t.deepEqual(searchTerms('“Hello,” दादा! 10:30 don’t'), ['helo', 'dada', '10', '30', 'dont'])
  t.deepEqual(searchTerms(' … — '), [])
})

test('words of other scripts, and numbers, stand for themselves', (t) => {
  t.deepEqual(searchTerms('வணக்கம் 42'), ['வணக்கம்', '42'])
})
