import test from 'ava'

import { foreignTokens, hasForeignLetters, scriptsOf } from '../../../infra/speech/asr/whisper/scripts.ts'
import { aTokenizer } from '../../support/tiny-tokenizer.ts'

const tokenizer = aTokenizer([' हिन्दी', ' اردو', ' Hindi', ' русский', '。', ' ি', '♪'])
const idOf = (text: string): number => tokenizer.encode(text)[0]!
const firstByteOf = (text: string): number => new TextEncoder().encode(text)[0]!

test('Hindi may come in Devanagari and Latin letters, not in Arabic ones', (t) => {
  const foreign = foreignTokens(tokenizer, scriptsOf('hi'))
  t.is(foreign[idOf(' हिन्दी')], 0)
  t.is(foreign[idOf(' Hindi')], 0)
  t.is(foreign[idOf(' اردو')], 1)
  t.is(foreign[idOf(' русский')], 1)
})

test('Urdu may come in Arabic letters, not in Devanagari', (t) => {
  const foreign = foreignTokens(tokenizer, scriptsOf('ur'))
  t.is(foreign[idOf(' اردو')], 0)
  t.is(foreign[idOf(' हिन्दी')], 1)
})

test('a byte that can only begin a foreign letter is masked, one that may begin an own letter is not', (t) => {
  const foreign = foreignTokens(tokenizer, scriptsOf('hi'))
  const byteToken = (byte: number): number => tokenizer.encode(String.fromCharCode(0x41))[0]! - 0x41 + byte
  t.is(foreign[byteToken(firstByteOf('ا'))], 1)
  t.is(foreign[byteToken(firstByteOf('ह'))], 0)
  t.is(foreign[byteToken(0x80)], 0, 'a continuation says nothing by itself')
})

test('digits, punctuation and marks are of no script', (t) => {
  const foreign = foreignTokens(tokenizer, scriptsOf('en'))
  for (const text of ['1', ',', '?', ' ', '♪']) t.is(foreign[idOf(text)], 0, text)
  t.true(foreign.subarray(tokenizer.firstMark).every((value) => value === 0))
})

test('a letter put together from innocent bytes is still found in the text', (t) => {
  t.true(hasForeignLetters('यह اردو', scriptsOf('hi')))
  t.false(hasForeignLetters('यह Hindi है। 100%', scriptsOf('hi')))
})
