import test from 'ava'

import { endsSentence, marksIn } from '../../../../infra/speech/punctuation/marks.ts'

const words: readonly (readonly [string, string, string])[] = [
  ['hello', 'hello', ''],
  ['Hello,', 'Hello', ','],
  ['है।', 'है', '.'],
  ['“really?”', 'really', '?'],
  ['stop!', 'stop', '!'],
  ['1,000.', '1,000', '.'],
  ['50%', '50%', ''],
  ['Mr.', 'Mr.', ''],
  ['U.S.', 'U.S.', ''],
  ['No.', 'No', '.'],
  ["don't", "don't", ''],
  ['...', '...', ''],
]

for (const [text, bare, mark] of words)
  test(`${text} is ${bare} with ${mark || 'no mark'}`, (t) => {
    t.deepEqual(marksIn(text), { bare, mark } as ReturnType<typeof marksIn>)
  })

test('a sentence ends in a stop, a danda or a question mark, also before a closing quote', (t) => {
  for (const end of ['a.', 'है।', 'a?', 'a!', 'a."', 'a…', 'No.', 'Mr.?', 'etc.']) t.true(endsSentence(end), end)
  for (const inner of ['a', 'a,', '.a', '1.5', 'Mr.', '“Dr.', 'डॉ.', 'A.']) t.false(endsSentence(inner), inner)
})
