import test from 'ava'
import * as fc from 'fast-check'

import { aTokenizer } from '../../support/tiny-tokenizer.ts'

test('what is encoded decodes to the same text, in any script', (t) => {
  const tokenizer = aTokenizer([' hello', ' नमस्ते', 'ing'])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => tokenizer.decode(tokenizer.encode(text)) === text),
    { seed: 7, numRuns: 200 },
  )
  t.pass()
})

test('a word of the vocabulary becomes one token', (t) => {
  const tokenizer = aTokenizer([' hello'])
  const ids = tokenizer.encode(' hello hello')
  t.is(ids.length, 2)
  t.is(ids[0], ids[1])
})

test('marks are no text', (t) => {
  const tokenizer = aTokenizer()
  const start = tokenizer.markId('<|startoftranscript|>')!
  t.is(tokenizer.decode([start, ...tokenizer.encode('a'), start]), 'a')
  t.true(start >= tokenizer.firstMark)
  t.is(tokenizer.bytesOf(start).length + tokenizer.bytesOf(tokenizer.size).length, 0)
})

test('bytes that are half of a character show as the replacement character, not as an error', (t) => {
  const tokenizer = aTokenizer()
  const [first] = tokenizer.encode('न')
  t.is(tokenizer.decode([first!]), '\ufffd')
})
