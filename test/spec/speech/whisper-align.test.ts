import test from 'ava'
import * as fc from 'fast-check'

import { framesOfRows } from '../../../infra/speech/asr/align.ts'
import { likeliest, drawn, seededRandom } from '../../../infra/speech/asr/choose.ts'
import { whisperWords } from '../../../infra/speech/asr/whisper/words.ts'
import { timedTokens } from '../../../infra/speech/asr/whisper/times.ts'
import { readWhisperConfig } from '../../../infra/speech/asr/whisper/config.ts'
import { promptOf } from '../../../infra/speech/asr/whisper/prompt.ts'
import { settleWords } from '../../../infra/speech/asr/settle-words.ts'
import { aTokenizer } from '../../support/tiny-tokenizer.ts'

const tokenizer = aTokenizer([' hello', ' world', ' नमस्ते'])
const { marks } = readWhisperConfig(
  {
    config: {
      model_type: 'whisper',
      num_mel_bins: 80,
      decoder_layers: 1,
      decoder_attention_heads: 1,
      d_model: 4,
      max_source_positions: 1500,
      max_target_positions: 448,
    },
    generation: {},
  },
  tokenizer,
)

function byteToken(byte: number): number {
  return tokenizer.encode('A')[0]! - 0x41 + byte
}

function looking(spans: readonly (readonly [number, number])[], frames: number): Float32Array[] {
  return spans.map(([from, to]) => Float32Array.from({ length: frames }, (_, i) => (i >= from && i < to ? 1 : 0.01)))
}

test('a token begins where the decoder starts to look', (t) => {
  const rows = looking(
    [
      [0, 20],
      [20, 50],
      [50, 90],
      [90, 100],
    ],
    100,
  )
  const starts = framesOfRows({ rows, heads: 1, frames: 100 })
  for (const [index, expected] of [0, 20, 50, 90].entries()) t.true(Math.abs(starts[index]! - expected) <= 3)
})

test('tokens never begin before the one that they follow', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 }), {
        minLength: 1,
        maxLength: 12,
      }),
      (rows) => {
        const starts = framesOfRows({ rows: rows.map((row) => Float32Array.from(row)), heads: 1, frames: 30 })
        return starts.every((start, index) => start >= (starts[index - 1] ?? 0) && start < 30)
      },
    ),
    { seed: 11 },
  )
  t.pass()
})

test('words begin at spaces, and characters that are split over tokens stay together', (t) => {
  const letters = Array.from(new TextEncoder().encode('न'), byteToken)
  const ids = [...tokenizer.encode(' hello world'), byteToken(0x20), ...letters]
  const tokens = ids.map((id, index) => ({ id, logProb: -0.1, start: index, end: index + 1 }))
  t.deepEqual(
    whisperWords(tokens, 'hi', tokenizer).map(({ text, start, end }) => [text, start, end]),
    [
      ['hello', 0, 1],
      ['world', 1, 2],
      ['न', 2, 6],
    ],
  )
})

test('without attention, words share the time between two time marks by their length', (t) => {
  const [hello, world] = tokenizer.encode(' hello world')
  const written = {
    tokens: [marks.firstTime, hello!, world!, marks.firstTime + 100],
    logProbs: [0, -0.1, -0.1, 0],
    attention: undefined,
    seconds: 5,
    bytesOf: (id: number) => tokenizer.bytesOf(id).length,
  }
  const tokens = timedTokens(written, marks)
  t.deepEqual(
    tokens.map(({ start, end }) => [start, end]),
    [
      [0, 1],
      [1, 2],
    ],
  )
})

test('hotwords stand before the start mark and never fill the window', (t) => {
  const prompt = promptOf(
    { marks, tokenizer, room: 4 },
    { language: 'hi', hotwords: ['hello', 'world', 'नमस्ते'], times: false },
  )
  t.is(prompt[0], marks.previous)
  t.deepEqual(prompt.slice(-4), [marks.start, marks.languages.get('hi'), marks.transcribe, marks.noTimes])
  t.true(prompt.indexOf(marks.start) <= 5)
  t.is(promptOf({ marks, tokenizer, room: 4 }, { language: 'en', hotwords: [' '], times: true })[0], marks.start)
})

test('the likeliest token is the first of equals, with its log-probability', (t) => {
  const choice = likeliest(Float32Array.of(0, 3, 3, -Infinity))
  t.is(choice.token, 1)
  t.true(Math.abs(choice.logProb - Math.log(Math.exp(3) / (1 + 2 * Math.exp(3)))) < 1e-6)
})

test('a drawn token is never one that is ruled out, and the same seed draws the same', (t) => {
  const logits = Float32Array.of(1, -Infinity, 2, 0)
  const draw = (): number[] => {
    const random = seededRandom(1)
    return Array.from({ length: 200 }, () => drawn(logits, 1, random).token)
  }
  t.false(draw().includes(1))
  t.deepEqual(draw(), draw())
  t.true(new Set(draw()).size > 1)
})

test('a word does not keep the pause before it', (t) => {
  const rate = 16_000
  const samples = Float32Array.from({ length: 3 * rate }, (_, i) => (i < rate || i >= 2 * rate ? Math.sin(i / 5) : 0))
  const [first, second] = settleWords(
    [
      { text: 'one', start: 0, end: 0.9, confidence: 1 },
      { text: 'two', start: 0.9, end: 3, confidence: 1 },
    ],
    samples,
  )
  t.true(Math.abs(first!.end - 1) < 0.03)
  t.true(Math.abs(second!.start - 2) < 0.03)
})
