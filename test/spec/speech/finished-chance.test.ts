import test from 'ava'

import { lastPitch } from '../../../infra/speech/analysis/last-pitch.ts'
import { finishedChance } from '../../../infra/speech/engine/live/finished-chance.ts'

const chanceOf = (text: string, evidence: { end?: number; pitch?: number } = {}): number =>
  finishedChance({ words: text.split(' ').filter(Boolean), end: evidence.end ?? 0.5, pitch: evidence.pitch })

const open = [
  'मुझे दो टिकट चाहिए और',
  'मैंने कहा कि',
  'I would like to go because',
  'we need the',
  'मैं उम्म',
  'my number is nine eight',
  'मेरा नंबर है नौ आठ',
]
for (const text of open)
  test(`who says "${text}" goes on`, (t) => {
    t.true(chanceOf(text) < chanceOf('मुझे दो टिकट चाहिए'))
    t.true(chanceOf(text, { end: 0.9 }) < 0.5)
  })

test('a likely end of a sentence is a likely end of a turn', (t) => {
  t.true(chanceOf('मुझे दो टिकट चाहिए', { end: 0.9 }) > chanceOf('मुझे दो टिकट चाहिए', { end: 0.1 }))
})

test('a voice that falls has finished, and one that stays up has not', (t) => {
  t.true(chanceOf('we are done', { pitch: -4 }) > 0.9)
  t.true(chanceOf('we are done', { pitch: 2 }) < 0.1)
})

test('whatever is known, it is a chance', (t) => {
  for (const end of [0, 1]) for (const pitch of [-6, 6]) t.true(Number.isFinite(chanceOf('', { end, pitch })))
})

test('how a voice ends is heard beside its middle', (t) => {
  const ending = (semitones: number): number | undefined => lastPitch(aVoice(150, 150 * 2 ** (semitones / 12)))
  for (const semitones of [-4, 0, 3]) t.true(Math.abs(ending(semitones)! - semitones) < 0.7, `${ending(semitones)}`)
})

test('a voice that seems to end much higher was misheard, and says nothing', (t) => {
  t.is(lastPitch(aVoice(150, 300)), undefined)
})

test('who asks something with a rising voice is not taken to go on for longer the higher it rises', (t) => {
  t.is(chanceOf('are we done', { pitch: 4 }), chanceOf('are we done', { pitch: 2 }))
})

test('of a voice that is too short, or none, nothing is said', (t) => {
  t.is(lastPitch(new Float32Array(16_000)), undefined)
  t.is(lastPitch(new Float32Array(0)), undefined)
})

/** One second of a voice at one pitch, then 200 ms at another, then silence. */
function aVoice(hertz: number, lastHertz: number): Float32Array {
  const samples = new Float32Array(1.5 * 16_000)
  let phase = 0
  for (let at = 0; at < 1.2 * 16_000; at++) {
    phase += (at < 16_000 ? hertz : lastHertz) / 16_000
    samples[at] = 0.2 * (Math.sin(2 * Math.PI * phase) + 0.5 * Math.sin(4 * Math.PI * phase))
  }
  return samples
}
