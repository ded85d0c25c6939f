import { Readable } from 'node:stream'

import test from 'ava'

import { wholeBytes } from '../../actors/whole-bytes.ts'

test('all pieces of a stream are joined in their order', async (t) => {
  t.is((await wholeBytes(Readable.from([Buffer.from('one '), Buffer.from('two')]))).toString(), 'one two')
  t.is((await wholeBytes(Readable.from([]))).length, 0)
})

test('what comes in one piece stays where it lies', async (t) => {
  const piece = new Uint8Array(Buffer.from('a recording')).subarray(2)
  const whole = await wholeBytes(Readable.from([piece], { objectMode: false }))
  t.is(whole.toString(), 'recording')
  t.is(whole.buffer, piece.buffer)
})
