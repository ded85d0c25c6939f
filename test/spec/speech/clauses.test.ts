import test from 'ava'
import * as fc from 'fast-check'

import { clauseMax, createClauseSplitter } from '../../../infra/speech/tts/clauses.ts'

/** As if the text came in these pieces. */
function clausesOf(...pieces: readonly string[]): string[] {
  const splitter = createClauseSplitter()
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.flush()]
}

/** As if somebody waited for it. */
function quickClausesOf(...pieces: readonly string[]): string[] {
  const splitter = createClauseSplitter({ isQuick: true })
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.flush()]
}

for (const [given, clauses] of [
  ['Yes. No.', ['Yes. ', 'No.']],
  ['यह सच है। वह नहीं।', ['यह सच है। ', 'वह नहीं।']],
  ['இது உண்மை. அது இல்லை!', ['இது உண்மை. ', 'அது இல்லை!']],
  ['Dr. Rao met Mr. A. P. J. Kalam at 5 p.m. on Monday.', ['Dr. Rao met Mr. A. P. J. Kalam at 5 p.m. on Monday.']],
  ['डॉ. राव आए। रु. 500 दिए।', ['डॉ. राव आए। ', 'रु. 500 दिए।']],
  ['It costs 3.14 or 1,000 rupees.', ['It costs 3.14 or 1,000 rupees.']],
  ['He said “Stop.” Then he left.', ['He said “Stop.” ', 'Then he left.']],
  ['What?! Really… Yes', ['What?! ', 'Really… ', 'Yes']],
  ['First line\nSecond line', ['First line\n', 'Second line']],
  ['Hi, there', ['Hi, there']],
  [
    'When you are ready to begin, press the button, please.',
    ['When you are ready to begin, ', 'press the button, please.'],
  ],
  ['See vaak.example.com for more.', ['See vaak.example.com for more.']],
] as const)
  test(`${JSON.stringify(given)} is ${clauses.length} clause(s)`, (t) => t.deepEqual(clausesOf(given), clauses))

for (const [given, clauses] of [
  ['Hi, there', ['Hi, there']],
  ['Of course, I can help you with that.', ['Of course, ', 'I can help you with that.']],
  ['यह सच है। वह नहीं।', ['यह सच है। ', 'वह नहीं।']],
  [
    'The train to Pune leaves from the third platform at noon today.',
    ['The train to Pune leaves from ', 'the third platform at noon today.'],
  ],
  ['आपकी गाड़ी पुणे के लिए कल सुबह आठ बजे निकलेगी।', ['आपकी गाड़ी पुणे के लिए कल ', 'सुबह आठ बजे निकलेगी।']],
  ['One two three four five six seven.', ['One two three four five six seven.']],
  ['It will cost you about 1500 rupees in all', ['It will cost you about 1500 rupees in all']],
] as const)
  test(`${JSON.stringify(given)} is ${clauses.length} clause(s) for somebody who waits`, (t) =>
    t.deepEqual(quickClausesOf(given), clauses))

test('the clauses of somebody who waits grow, so that each is made while the one before is heard', (t) => {
  const lengths = quickClausesOf('word '.repeat(200)).map((clause) => clause.trim().split(' ').length)
  t.deepEqual(lengths.slice(0, 3), [6, 12, 24])
  t.is(Math.max(...lengths.slice(3)), clauseMax / 5)
})

test('a clause comes as soon as what follows shows that it has ended', (t) => {
  const splitter = createClauseSplitter()
  t.deepEqual(splitter.push('It is 3'), [])
  t.deepEqual(splitter.push('.'), [])
  t.deepEqual(splitter.push('5 degrees.'), [])
  t.deepEqual(splitter.push(' And'), ['It is 3.5 degrees. '])
  t.deepEqual(splitter.flush(), ['And'])
})

test('the clauses joined are the text, however it came, and none is longer than the limit', (t) => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('a. ', 'यह। ', '? ', ', ', '\n', ' ', '😀', '\ud800', '\u200d', '\u0000', 'x'.repeat(400)),
    fc.string({ maxLength: 300 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      return [clausesOf(...pieces), quickClausesOf(...pieces)].every(
        (clauses) =>
          clauses.join('') === pieces.join('') && clauses.every(({ length }) => length > 0 && length <= clauseMax),
      )
    }),
  )
  t.pass()
})

test('a long text without any end is cut between words, and never inside a letter with its marks', (t) => {
  for (const clause of clausesOf('word '.repeat(1_000)).slice(0, -1)) t.true(clause.endsWith(' '))
  for (const clause of clausesOf('कि'.repeat(1_000))) t.regex(clause, /^क/)
  for (const clause of clausesOf('😀'.repeat(1_000))) t.true(clause.isWellFormed())
})

test('a hundred thousand characters are split in a moment', (t) => {
  const fromMs = performance.now()
  for (const text of ['a'.repeat(100_000), '. '.repeat(50_000), '\u0300'.repeat(100_000)])
    t.is(clausesOf(text).join(''), text)
  t.true(performance.now() - fromMs < 20_000)
})
