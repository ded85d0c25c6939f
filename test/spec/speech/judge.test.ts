import test from 'ava'

import { openJudge } from '../../../infra/speech/evaluate/judge.ts'

const alphabet = 'कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह'
/** As far from each other as texts get: nothing is cut short. */
const scrambled = (step: number) => Array.from({ length: 50_000 }, (_, at) => alphabet[(at * step) % 32]).join('')

test('a short comparison waits for no long one', async (t) => {
  const judge = openJudge()
  t.teardown(() => judge.close())
  const leaving = new AbortController()
  let isLongOver = false
  const long = judge
    .judge({ said: scrambled(5), heard: scrambled(11) }, leaving.signal)
    .finally(() => (isLongOver = true))
  const short = await judge.judge({ said: 'कल आना', heard: 'कल जाना' }, new AbortController().signal)
  t.is(short.words, 2)
  t.false(isLongOver)
  leaving.abort(new Error('gone'))
  await t.throwsAsync(long, { message: 'gone' })
})
