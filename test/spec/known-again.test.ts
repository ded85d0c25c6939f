import test from 'ava'

import { knownAgain } from '../bench/tts/known-again.ts'

const list = ['the train leaves early', 'the shop opens late', 'a bird sings']

test('a sentence is known again when what was heard is nearest to it, however wrong each word is', (t) => {
  t.is(knownAgain([{ said: list[0]!, heard: 'da drane leafs erly' }], list), 1)
})

test('a sentence is not known again when another of the list is as near, or nothing was heard', (t) => {
  t.is(knownAgain([{ said: list[0]!, heard: 'the shop opens later' }], list), 0)
  t.is(knownAgain([{ said: list[0]!, heard: '' }], list), 0)
})
