import test from 'ava'

import type { SpokenTokens } from '../../../infra/speech/asr/moonshine/spoken.ts'
import { wordsOfSpoken } from '../../../infra/speech/asr/moonshine/spoken.ts'
import { readVocabulary } from '../../../infra/speech/asr/moonshine/vocabulary.ts'

const pieces = [
  '<unk>',
  '<s>',
  '</s>',
  ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
  '▁hello',
  '▁wor',
  'ld',
  ...Array.from({ length: 1000 }, (_, i) => `filler${i}`),
]
const script = `var a="nothing",v="${Buffer.from(pieces.join('\n')).toString('base64')}",b=1`
const vocabulary = readVocabulary(script)
const [hello, wor, ld] = [259, 260, 261]

test('the vocabulary is found inside the script', (t) => {
  t.is(vocabulary.size, pieces.length)
  t.is(vocabulary.decode([1, hello, wor, ld, 2]), ' hello world')
})

test('bytes are put together into characters', (t) => {
  const bytes = Array.from(new TextEncoder().encode('é'), (byte) => 3 + byte)
  t.is(vocabulary.decode(bytes), 'é')
})

test('a token beyond the vocabulary writes nothing', (t) => {
  t.is(vocabulary.decode([hello, 32_700]), ' hello')
})

test('a file without a vocabulary is refused with a sentence', (t) => {
  t.throws(() => readVocabulary('let a = 1'), { message: /no vocabulary found/ })
})

test('words begin at spaces and follow each other without gaps', (t) => {
  const spoken: SpokenTokens = {
    tokens: [hello, wor, ld],
    logProbs: [-0.1, -0.2, -0.4, 0],
    attention: undefined,
    seconds: 2,
    ended: 'end',
  }
  const words = wordsOfSpoken(spoken, vocabulary)
  t.deepEqual(
    words.map(({ text, start, end }) => [text, start, end]),
    [
      ['hello', 0, 1],
      ['world', 1, 2],
    ],
  )
  t.true(Math.abs(words[1]!.confidence - Math.exp(-0.3)) < 1e-9)
})
