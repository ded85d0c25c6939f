import test from 'ava'

import { mendSeam } from '../../../../infra/speech/punctuation/seams.ts'
import { joinChunks } from '../../../../infra/speech/transcript/join.ts'
import { aWord } from '../../../support/recognisers.ts'

const rate = 16_000

test('a full stop goes when the next word follows at once, and so does the capital after it', (t) => {
  t.deepEqual(forms(mendSeam(word('there.', 0, 1), word('We', 1.1, 2))), ['there', 'we'])
  t.deepEqual(forms(mendSeam(word('है।', 0, 1), word('और', 1.1, 2))), ['है', 'और'])
})

test('after a pause both stay', (t) => {
  t.deepEqual(forms(mendSeam(word('there.', 0, 1), word('We', 1.5, 2))), ['there.', 'We'])
})

test('a question stays one', (t) => {
  t.deepEqual(forms(mendSeam(word('there?', 0, 1), word('We', 1.1, 2))), ['there?', 'We'])
})

test('what has its capital for itself keeps it', (t) => {
  for (const own of ['I', "I'm", 'NASA', 'iPhone'])
    t.deepEqual(forms(mendSeam(word('a.', 0, 1), word(own, 1, 2))), ['a', own])
})

test('words that nobody punctuated are left alone', (t) => {
  const [before, after] = [aWord('a', 0, 1), aWord('B', 1, 2)]
  t.deepEqual(mendSeam(before, after), [before, after])
})

test('chunks that are joined are mended where one ends and the next begins, and nowhere else', (t) => {
  const chunk = (start: number, end: number) => ({
    start: start * rate,
    end: end * rate,
    ownStart: start * rate,
    ownEnd: end * rate,
  })
  const joined = joinChunks([
    { chunk: chunk(0, 2), words: [word('yes.', 0, 0.9), word('We', 1, 1.4), word('go.', 1.4, 2)] },
    { chunk: chunk(2, 4), words: [word('Home', 0.1, 0.5), word('now.', 0.6, 1)] },
    { chunk: chunk(5, 6), words: [word('Good.', 0, 1)] },
  ])
  t.deepEqual(forms(joined), ['yes.', 'We', 'go', 'home', 'now.', 'Good.'])
})

function word(written: string, start: number, end: number) {
  return { ...aWord(written.replace(/[.?।]/u, '').toLowerCase(), start, end), written }
}

function forms(words: readonly { written?: string }[]): (string | undefined)[] {
  return words.map(({ written }) => written)
}
