import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { alignWords } from '../../../infra/speech/align/align-text.ts'
import type { AlignedWord } from '../../../infra/speech/align/align-text.ts'
import { alignedResult } from '../../../infra/speech/align/aligned-result.ts'
import { packRows, timelineOf } from '../../../infra/speech/align/emissions.ts'
import type { Emissions } from '../../../infra/speech/align/emissions.ts'
import { spellWords } from '../../../infra/speech/align/spellings.ts'
import { parseVocabulary } from '../../../infra/speech/asr/ctc/vocabulary.ts'
import { bundledModels } from '../../../infra/speech/models/bundled.ts'
import { aRandom } from '../../support/samples.ts'

const { symbols } = parseVocabulary(readFileSync(join(bundledModels(), 'hinglish-ctc', 'vocab.json'), 'utf8'))
const secondsAFrame = 0.02
const sure = Math.log(0.97)
const unlikely = Math.log(0.03 / (symbols.length - 1))

/** Letters one after another, each in a frame with a blank behind; `_` is a blank alone. */
function heard(text: string, start = 0): Emissions {
  const letters = Array.from(text).flatMap((letter) => (letter === '_' ? ['_'] : [letter, '_']))
  const rows = letters.flatMap((letter) => {
    const symbol = letter === '_' ? 0 : symbols.indexOf(letter)
    return symbols.map((_, at) => (at === symbol ? sure : unlikely))
  })
  return { symbols, start, secondsAFrame, rows: packRows(Float32Array.from(rows)) }
}

function inOrder(t: ExecutionContext, words: readonly AlignedWord[], seconds: number): void {
  let before = 0
  for (const { start, end } of words) {
    t.true(start >= before - 1e-9 && end >= start && end <= seconds + 1e-9, `${before} ${start} ${end}`)
    before = end
  }
}

test('each word has the frames in which its letters are', (t) => {
  const words = alignWords(['hello', 'world'], [heard('__________hello___ __________world__________')], 2)
  t.true(words.every(({ isFound, confidence }) => isFound && confidence > 0.9))
  const [hello, world] = words
  t.true(Math.abs(hello!.start - (10 * 0.02 - 0.06)) < 0.001, `${hello?.start}`)
  // five letters with a blank behind each, three blanks, a space with its blank, ten blanks
  const worldAt = (10 + 10 + 3 + 2 + 10) * 0.02
  t.true(Math.abs(world!.start - (worldAt - 0.06)) < 0.001, `${world?.start}`)
  inOrder(t, words, 2)
})

test('what was said besides the text, before, between and behind, moves no word', (t) => {
  const plain = alignWords(['one', 'two'], [heard('____________________one ____________________two____')], 2)
  const among = alignWords(['one', 'two'], [heard('well yes listen one and then of course two thanks')], 3)
  t.true([...plain, ...among].every(({ isFound }) => isFound))
  const oneAt = 'well yes listen '.length * 2 * secondsAFrame
  t.true(Math.abs(among[0]!.start - oneAt) < 0.08, `${among[0]?.start}`)
  const twoAt = 'well yes listen one and then of course '.length * 2 * secondsAFrame
  t.true(Math.abs(among[1]!.start - twoAt) < 0.08, `${among[1]?.start}`)
})

test('words that nobody said are marked and get the time that their neighbours leave', (t) => {
  const text = ['before', 'absolutely', 'nobody', 'after']
  const words = alignWords(text, [heard('before ______________________________ after')], 1.5)
  t.deepEqual(
    words.map(({ isFound }) => isFound),
    [true, false, false, true],
  )
  t.true(words[1]!.start >= words[0]!.end && words[2]!.end <= words[3]!.start)
  t.true(words[1]!.end - words[1]!.start > words[2]!.end - words[2]!.start, 'a longer word has more of it')
  inOrder(t, words, 1.5)
})

test('where nothing was heard, or less than there are words, every word still has its times', (t) => {
  for (const pieces of [[], [heard('_')], [heard('a_')]]) {
    const words = alignWords(['some', 'words', 'that', 'are', 'not', 'there'], pieces, 3)
    t.is(words.length, 6)
    inOrder(t, words, 3)
  }
})

test('pieces are laid in order of time, and silence between them is time', (t) => {
  const words = alignWords(['one', 'two'], [heard(' two__', 8), heard('__one ', 1)], 10)
  t.true(words.every(({ isFound }) => isFound))
  t.true(words[0]!.start > 0.9 && words[0]!.end < 1.5)
  t.true(words[1]!.start > 7.9)
  t.is(timelineOf([heard('ab', 2), heard('c')]).frames, 6)
})

test('more frames than are held at once give the same as few', (t) => {
  const far = '_'.repeat(1000)
  const words = alignWords(['one', 'two', 'one'], [heard(`one ${far}two ${far}one`)], 60)
  t.true(words.every(({ isFound }) => isFound))
  t.true(Math.abs(words[1]!.start - (8 + 1000) * secondsAFrame) < 0.08)
  t.true(Math.abs(words[2]!.start - (8 + 1000 + 8 + 1000) * secondsAFrame) < 0.08)
})

test('a text that is too long to follow every way to its end finds its words', (t) => {
  const random = aRandom(7)
  const letters = symbols.filter((symbol) => /^[a-z]$/.test(symbol))
  const aWord = (): string =>
    Array.from({ length: 3 + Math.floor(random() * 6) }, () => letters[Math.floor(random() * letters.length)]).join('')
  const text = Array.from({ length: 1700 }, aWord)
  const nobodySaid = (at: number): boolean => at >= 800 && at < 860
  const pauses = new Map([
    [400, 2000],
    [799, 100],
  ])
  const said = text
    .map((word, at) => `${word}${'_'.repeat(pauses.get(at) ?? 0)}`)
    .filter((_, at) => !nobodySaid(at))
    .join(' ')
  const words = alignWords(text, [heard(said)], 700)
  t.deepEqual(
    words.flatMap(({ isFound }, at) => (isFound === nobodySaid(at) ? [at] : [])),
    [],
  )
  inOrder(t, words, 700)
})

test('Hindi in Latin letters is found where Devanagari was heard, loanwords in either script, numbers as they are read', (t) => {
  const text = (word: string): string[] =>
    spellWords([word], symbols)[0]!.map((spelling) => spelling.map((at) => symbols[at]).join(''))
  t.true(text('pani').includes('पानी'))
  t.true(text('बस').includes('bus'))
  t.true(text('“Hello,”').includes('hello'))
  t.true(text('café').includes('cafe'))
  t.deepEqual(text('५'), ['पाँच', 'five'])
  t.true(text('1947').includes('एक हज़ार नौ सौ सैंतालीस'))
  t.true(text('1,20,000').includes('one lakh twenty thousand'))
  t.true(text('9876543210').some((spelling) => spelling.startsWith('nine eight seven')))
  t.deepEqual(text('—'), [])
  t.deepEqual(text('x'.repeat(500)), [])
  const [word] = alignWords(['pani'], [heard('____पानी____')], 1)
  t.true(word?.isFound)
})

test('lines are kept, also with empty ones between them, and what was not found is marked', (t) => {
  const parts = { emissions: [heard('one two ____three')], durationSeconds: 1, model: 'm', warnings: [] }
  const result = alignedResult({ ...parts, script: 'mixed', saidText: 'One two,\r\n\n  three   quixotically\n' })
  t.deepEqual(
    result.segments.map(({ text }) => text),
    ['One two,', 'three   quixotically'],
  )
  const words = result.segments.flatMap((segment) => segment.words)
  t.deepEqual(
    words.map(({ word, interpolated }) => [word, interpolated]),
    [
      ['One', undefined],
      ['two,', undefined],
      ['three', undefined],
      ['quixotically', true],
    ],
  )
})

test('whatever the text and whatever was heard, times are in order and inside of the recording', (t) => {
  const seed = Date.now() % 1_000_000
  const random = aRandom(seed)
  const letters = [...symbols.slice(2), '5', '₹', '।', '-', '\u200d', '🙂']
  const some = (from: readonly string[], most: number): string =>
    Array.from({ length: Math.floor(random() * most) }, () => from[Math.floor(random() * from.length)]).join('')
  for (let round = 0; round < 60; round += 1) {
    const text = Array.from({ length: 1 + Math.floor(random() * 12) }, () => `${some(letters, 9)}x`)
    const sound = heard(some([...symbols.slice(1), '_', '_'], 80))
    const words = alignWords(text, [sound], 4)
    t.is(words.length, text.length, `seed ${seed}`)
    inOrder(t, words, 4)
  }
})
