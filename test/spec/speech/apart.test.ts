import test from 'ava'

import { partsBetween } from '../../../infra/speech/asr/apart.ts'
import type { Word } from '../../../infra/speech/asr/recogniser.ts'
import { aWord } from '../../support/recognisers.ts'

/** `e` and `h` are words of 0.4 s, a tenth of a second between them; `_` is half a second of silence more. */
function said(pattern: string): Word[] {
  let at = 0
  return Array.from(pattern).flatMap((letter) => {
    if (letter === '_') {
      at += 0.5
      return []
    }
    const word = { ...aWord(letter, at, at + 0.4), language: letter === 'e' ? 'en' : 'hi' }
    at += 0.5
    return [word]
  })
}

function placesOf(pattern: string): [number, number][] {
  return partsBetween(said(pattern), ['en'], 60).map(({ first, last }) => [first, last])
}

test('what has a pause before and after English stands apart from it', (t) => {
  t.deepEqual(placesOf('hhh_eeee_hhhh'), [
    [0, 2],
    [7, 10],
  ])
})

test('a sentence that changes language without a pause stays whole', (t) => {
  t.deepEqual(placesOf('hhheeehhh'), [])
  t.deepEqual(placesOf('hhheee_hhh'), [[6, 8]])
})

test('single English words divide nothing, and stay in the part that they were said in', (t) => {
  t.deepEqual(placesOf('hhh_e_hhh'), [])
  t.deepEqual(placesOf('heh_eeee_hhh'), [
    [0, 2],
    [7, 9],
  ])
})

test('without English, or with nothing but English, there are no parts', (t) => {
  t.deepEqual(placesOf('hhh_hhh'), [])
  t.deepEqual(placesOf('eee_eee'), [])
})

test('a word or two are not heard again: alone they are heard worse', (t) => {
  t.deepEqual(placesOf('hh_eeee_hhh'), [[6, 8]])
})

test('a part has half of the pause around it, half a second at most', (t) => {
  const [part] = partsBetween(said('eee_hhh___eee'), ['en'], 60)
  t.deepEqual(
    [part!.start, part!.end].map((seconds) => Number(seconds.toFixed(3))),
    [1.7, 3.9],
  )
})
