import test from 'ava'

import { describeError } from '../../infra/telemetry/log.ts'

test('what was aborted is logged by its name, its message and where it happened, and by nothing else', (t) => {
  const { reason } = AbortSignal.abort()
  t.deepEqual(Object.keys(describeError(reason) as object), ['type', 'message', 'stack'])
})

test('an error is logged with what caused it', (t) => {
  const error = new Error('the outer one', { cause: new Error('the inner one') })
  t.like(describeError(error), { message: 'the outer one', cause: { message: 'the inner one' } })
})

test('what is no error is logged as it is', (t) => {
  t.is(describeError('a word'), 'a word')
})
