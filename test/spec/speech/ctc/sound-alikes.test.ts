import test from 'ava'
import * as fc from 'fast-check'

import { beamDecoder } from '../../../../infra/speech/asr/ctc/beam.ts'
import { buildLm } from '../../../../infra/speech/asr/ctc/lm-build.ts'
import { openLm } from '../../../../infra/speech/asr/ctc/lm.ts'
import type { LogProbs } from '../../../../infra/speech/asr/ctc/logits.ts'
import { lendToSoundAlikes } from '../../../../infra/speech/asr/ctc/sound-alikes.ts'
import { parseVocabulary, symbolsText } from '../../../../infra/speech/asr/ctc/vocabulary.ts'

const letters = ['<blank>', ' ', 'भ', 'ब', 'र', 'े', 'b', 'h']
const vocabulary = parseVocabulary(JSON.stringify(letters))
const lend = lendToSoundAlikes(vocabulary, { unheardBelow: -9 })

test('a letter that the recogniser was too sure of gives way to one that sounds like it, if only that makes a word', (t) => {
  const decode = beamDecoder(vocabulary, openLm(buildLm(Array<string>(20).fill('भरे भरे'), { order: 4 })))
  const heard = spelling('बरे')
  t.is(symbolsText(vocabulary, decode(heard)), 'बरे')
  t.is(symbolsText(vocabulary, decode(lend(heard))), 'भरे')
})

test('what is lent is taken from nobody else', (t) => {
  const isKept = fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 8, maxLength: 8 }), (parts) => {
    const sum = parts.reduce((total, part) => total + part, 0)
    const lent = lend(frames([parts.map((part) => part / sum)])).data.map(Math.exp)
    const others = letters.flatMap((letter, at) => ('भब'.includes(letter) ? [] : [at]))
    return (
      others.every((at) => Math.abs(lent[at]! - parts[at]! / sum) < 1e-6) &&
      Math.abs(lent[2]! + lent[3]! - (parts[2]! + parts[3]!) / sum) < 1e-6
    )
  })
  t.notThrows(() => fc.assert(isKept, { numRuns: 200 }))
})

test('where nothing is said nothing is lent', (t) => {
  const silent = frames([letters.map((_, at) => (at === 0 ? 0.9995 : 0.0005 / (letters.length - 1)))])
  t.deepEqual(lend(silent).data, silent.data)
})

/** Each letter for sure, a blank after it. */
function spelling(text: string): LogProbs {
  const sure = (symbol: number): number[] => letters.map((_, at) => (at === symbol ? 1 - 1e-6 : 1e-7))
  return frames(Array.from(text, (letter) => [sure(letters.indexOf(letter)), sure(0)]).flat())
}

function frames(rows: readonly (readonly number[])[]): LogProbs {
  return { data: Float32Array.from(rows.flat(), Math.log), frames: rows.length, symbols: letters.length }
}
