import test from 'ava'

import { scoresOfPhrases } from '../../../infra/speech/asr/ctc/phrase-scores.ts'
import { parseVocabulary } from '../../../infra/speech/asr/ctc/vocabulary.ts'
import { backchannelAmong, backchannelPhrases } from '../../../infra/speech/engine/live/backchannel.ts'

const vocabulary = parseVocabulary('["<blank>", " ", "a", "b"]')

/** Frames in each of which one symbol is likely and the others are not. */
function heard(likely: readonly number[], chance = 0.97) {
  const symbols = vocabulary.symbols.length
  const rest = Math.log((1 - chance) / (symbols - 1))
  const data = new Float32Array(likely.length * symbols).fill(rest)
  likely.forEach((symbol, frame) => (data[frame * symbols + symbol] = Math.log(chance)))
  return { data, frames: likely.length, symbols }
}

test('the phrase that was said is about as likely as the letters that fit best, and others are far from it', (t) => {
  const [ab, ba, aab, a] = scoresOfPhrases(heard([0, 2, 2, 0, 3, 0]), ['ab', 'ba', 'aab', 'a'], vocabulary)
  t.true(ab! > -0.1 && ab! < 1, String(ab))
  for (const other of [ba!, aab!, a!]) t.true(other < -3, String(other))
})

test('a phrase has the likelihood of all ways to say it', (t) => {
  // two frames of anything: aa, a then blank, blank then a are ways to say "a"
  const even = heard([2, 2], 0.25)
  const [a] = scoresOfPhrases(even, ['a'], vocabulary)
  t.true(Math.abs(a! - Math.log(3)) < 1e-5, String(a))
})

test('a letter that is said twice needs something between', (t) => {
  const [once, twice] = scoresOfPhrases(heard([2, 2]), ['a', 'aa'], vocabulary)
  t.true(once! > -0.1)
  t.is(twice, -Infinity)
})

test('what the model does not write, or has no frames for, cannot have been said', (t) => {
  t.deepEqual(scoresOfPhrases(heard([2, 2]), ['xyz', '', 'ababab'], vocabulary), [-Infinity, -Infinity, -Infinity])
  t.deepEqual(scoresOfPhrases(heard([]), ['a'], vocabulary), [-Infinity])
})

const scoresWith = (known: Readonly<Record<string, number>>) => backchannelPhrases.map((phrase) => known[phrase] ?? -40)

test('a back-channel is known by its spellings, and told by one of them', (t) => {
  t.is(backchannelAmong(scoresWith({ हाँ: -1 })), 'हाँ')
  t.is(backchannelAmong(scoresWith({ हां: 0.5 })), 'हाँ')
  t.is(backchannelAmong(scoresWith({ ok: -2, okay: -3 })), 'okay')
})

test('what fits badly, or fits another word nearly as well, is no back-channel', (t) => {
  t.is(backchannelAmong(scoresWith({ हाँ: -9 })), undefined)
  t.is(backchannelAmong(scoresWith({ हाँ: -1, नहीं: -2 })), undefined)
  t.is(backchannelAmong(scoresWith({ stop: 0, ok: -5 })), undefined)
  t.is(backchannelAmong(scoresWith({})), undefined)
  t.is(backchannelAmong(backchannelPhrases.map(() => -Infinity)), undefined)
})
