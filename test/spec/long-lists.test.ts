import test from 'ava'
import { z } from 'zod'

import { FailureError } from '../../actors/failure.ts'
import { batchRequest } from '../../gateway/batches/schemas.ts'
import { checkBody } from '../../gateway/check.ts'

test('a list that is too long is refused without a look at its entries', async (t) => {
  let looks = 0
  const entry = z.unknown().refine(() => (looks += 1) > 0)
  const lists = { few: z.array(entry).max(3).optional(), wanted: z.array(entry).min(1).max(3) }
  const schema = z.strictObject(lists)
  const refusal = await t.throwsAsync(checkBody(schema, { few: [1, 2, 3, 4], wanted: [] }), {
    instanceOf: FailureError,
  })
  t.is(refusal?.failure.detail, 'body.few: has 4 entries, and the limit is 3')
  t.is(looks, 0)
  await t.notThrowsAsync(checkBody(schema, { few: [1, 2, 3], wanted: [1] }))
  t.is(looks, 4)
})

for (const name of ['sources', 'file_ids'])
  test(`a batch has a limit for its ${name}`, async (t) => {
    const tooMany = Array.from({ length: 10_001 }, () => ({}))
    const refusal = await t.throwsAsync(checkBody(batchRequest, { [name]: tooMany }), { instanceOf: FailureError })
    t.is(refusal?.failure.detail, `body.${name}: has 10001 entries, and the limit is 10000`)
  })

test('a list with a sentence of its own is refused with it', async (t) => {
  const refusal = await t.throwsAsync(checkBody(batchRequest, { hotwords: Array.from({ length: 101 }, () => '') }), {
    instanceOf: FailureError,
  })
  t.is(refusal?.failure.detail, 'body.hotwords: at most 100 hotwords are listened for')
})

test('who sends a long list of nonsense is read as far as the first complaints', async (t) => {
  let looks = 0
  const entry = z.number().refine(() => (looks += 1) > 0 && false, 'is nonsense')
  const schema = z.strictObject({ wanted: z.array(entry).max(10_000), name: z.string() })
  const wanted = Array.from({ length: 10_000 }, (_, at) => at)
  const refusal = await t.throwsAsync(checkBody(schema, { wanted, name: 'x' }), { instanceOf: FailureError })
  t.regex(refusal?.message ?? '', / body\.wanted\.0: is nonsense; body\.wanted\.1: is nonsense/)
  t.true(looks <= 10, `${looks} looks`)
})

test('others are served while a long list is read, and it is what a short one would be', async (t) => {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const file_ids = Array.from({ length: 10_000 }, () => '01900000-0000-7000-8000-000000000000')
  const read = await checkBody(batchRequest, { file_ids, hotwords: [' asha '] })
  isOver = true
  t.deepEqual(read, { body: { file_ids, hotwords: ['asha'] }, warnings: [] })
  t.true(turns >= 50, `${turns} turns`)
})

test('the rest of a body with a long list is looked at as well', async (t) => {
  const sources = Array.from({ length: 1_000 }, (_, at) => ({ url: `https://example.org/${at}` }))
  const refusal = await t.throwsAsync(checkBody(batchRequest, { sources, speakers: 0, script: 'x' }), {
    instanceOf: FailureError,
  })
  t.regex(refusal?.message ?? '', /body\.script: .*; body\.speakers: /)
  t.deepEqual((await checkBody(batchRequest, { sources, more: 1 })).warnings, [
    'more: there is no such field; it was ignored',
  ])
})
