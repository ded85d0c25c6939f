import test from 'ava'
import * as fc from 'fast-check'

import { differentFailuresMax, withFailure } from '../../actors/run/chunk-errors.ts'
import { decide } from '../../actors/run/decide.ts'
import { chunkErrorsOf, chunksOf, errorOfChunk, standingOf } from '../../actors/run/state.ts'
import { messageMaxBytes, stepErrorOf } from '../../actors/attempt/step-error.ts'
import type { AlikeFailures, ChunkError } from '../../actors/run/state.ts'
import { fileErrorsOf } from '../../gateway/batches/standing.ts'
import { aRun, aRunningFile, anError, failed, nowMs, someChunks } from '../support/batch-builders.ts'

const limits = { window: 32, lostMax: 2 }
/** Of a recording of sixteen hours: more than the list of their failures, stored twice, had room for. */
const manyChunks = 2_300
const longMessage = 'x'.repeat(messageMaxBytes)

test('a file of which 2,300 chunks fail ends, tells each of them, and its record stays small', (t) => {
  let file = aRunningFile({ total: manyChunks, issued: 32 })
  for (let chunk = 0; chunk < manyChunks; chunk += 1)
    file = decide(file, [failed(chunk, { message: longMessage, atMs: nowMs + chunk })], limits).state
  t.is(standingOf(file.progress), 'failed')
  t.like(file.progress, { finishedAtMs: nowMs + manyChunks - 1 })
  const told = fileErrorsOf(file.progress)
  t.deepEqual(
    told.map(({ chunk }) => chunk),
    Array.from({ length: manyChunks }, (_, chunk) => chunk),
  )
  t.true(told.every(({ message }) => message === longMessage))
  t.true(JSON.stringify(file).length < 4_096)
})

test('chunks that fail each in its own way are told apart up to a limit, and beyond it none is left out', (t) => {
  let errors: AlikeFailures[] = []
  const count = 3 * differentFailuresMax
  for (let chunk = 0; chunk < count; chunk += 1)
    errors = withFailure(errors, chunk, anError({ message: `Reason ${String(chunk).padStart(3, '0')}.` }))
  t.is(errors.length, differentFailuresMax + 1)
  t.is(chunkErrorsOf(errors).length, count)
  t.is(errorOfChunk(errors, 0)?.message, 'Reason 000.')
  t.regex(errorOfChunk(errors, count - 1)!.message, /tells \d+ kinds of failures apart/)
})

test('in whatever order chunks fail, the same is stored', (t) => {
  const failures = fc.uniqueArray(fc.nat(60), { maxLength: 40 })
  const oneOf = (chunk: number) =>
    anError({ message: `Reason ${chunk % 25}.`, attempts: 1 + (chunk % 2), atMs: nowMs + chunk })
  const stored = (order: readonly number[]): AlikeFailures[] =>
    order.reduce<AlikeFailures[]>((errors, chunk) => withFailure(errors, chunk, oneOf(chunk)), [])
  fc.assert(
    fc.property(failures, fc.infiniteStream(fc.nat()), (order, keys) => {
      const shuffled = order
        .map((chunk) => ({ chunk, key: keys.next().value ?? 0 }))
        .sort((one, other) => one.key - other.key)
        .map(({ chunk }) => chunk)
      t.deepEqual(stored(shuffled), stored(order))
    }),
  )
})

test('failures as the version before stored them, one a chunk and once more with the file, are understood', (t) => {
  const old: ChunkError[] = [
    { ...anError({ atMs: nowMs }), chunk: 0 },
    { ...anError({ atMs: nowMs + 1 }), chunk: 2 },
  ]
  const chunks = someChunks({ total: 3, errors: old })
  const whole = anError({ code: 'fan_out_failed' })
  const finished = { phase: 'finished', outcome: 'failed', attempt: 1, finishedAtMs: nowMs } as const
  t.deepEqual(fileErrorsOf({ ...finished, errors: [...old, whole], chunks }), [whole, ...old])
  const { state } = decide(aRun({ phase: 'running', attempt: 1, chunks }), [failed(1)], limits)
  t.deepEqual(
    chunkErrorsOf(chunksOf(state.progress)!.errors).map(({ chunk }) => chunk),
    [0, 1, 2],
  )
})

test('what is said of a failure is cut to a sentence, between two characters', (t) => {
  const detail = 'क'.repeat(messageMaxBytes)
  const { message } = stepErrorOf({ kind: 'terminal', code: 'too_large', detail }, { attempts: 1, atMs: nowMs })
  t.true(Buffer.byteLength(message) <= messageMaxBytes + Buffer.byteLength('…'))
  t.regex(message, /^क+…$/)
})
