import test from 'ava'
import { z } from 'zod'

import { FailureError } from '../../actors/failure.ts'
import { batchRequest } from '../../gateway/batches/schemas.ts'
import { check } from '../../gateway/check.ts'

test('a list that is too long is refused without a look at its entries', (t) => {
  let looks = 0
  const entry = z.unknown().refine(() => (looks += 1) > 0)
  const lists = { few: z.array(entry).max(3).optional(), wanted: z.array(entry).min(1).max(3) }
  const schema = z.strictObject(lists)
  const refusal = t.throws(() => check('body', schema, { few: [1, 2, 3, 4], wanted: [] }), { instanceOf: FailureError })
  t.is(refusal?.failure.detail, 'body.few: has 4 entries, and the limit is 3')
  t.is(looks, 0)
  t.notThrows(() => check('body', schema, { few: [1, 2, 3], wanted: [1] }))
  t.is(looks, 4)
})

for (const name of ['sources', 'file_ids'])
  test(`a batch has a limit for its ${name}`, (t) => {
    const tooMany = Array.from({ length: 10_001 }, () => ({}))
    const refusal = t.throws(() => check('body', batchRequest, { [name]: tooMany }), { instanceOf: FailureError })
    t.is(refusal?.failure.detail, `body.${name}: has 10001 entries, and the limit is 10000`)
  })

test('a list with a sentence of its own is refused with it', (t) => {
  const refusal = t.throws(() => check('body', batchRequest, { hotwords: Array.from({ length: 101 }, () => '') }), {
    instanceOf: FailureError,
  })
  t.is(refusal?.failure.detail, 'body.hotwords: at most 100 hotwords are listened for')
})
