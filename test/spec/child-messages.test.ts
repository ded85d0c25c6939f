import test from 'ava'
import * as fc from 'fast-check'

import { encodeMessage, readMessages } from '../../infra/process/messages.ts'
import type { ChildMessage } from '../../infra/process/messages.ts'

test('messages come out as they went in, wherever the stream is cut', async (t) => {
  const message = fc.record({ kind: fc.integer({ min: 1, max: 5 }), payload: fc.uint8Array({ maxLength: 40 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 6 }), fc.integer({ min: 1, max: 30 }), async (sent, pieceBytes) => {
      const bytes = Buffer.concat(sent.map(({ kind, payload }) => encodeMessage(kind, payload)))
      const received = await all(piecesOf(bytes, pieceBytes))
      t.deepEqual(
        received.map(({ kind, payload }) => ({ kind, payload: [...payload] })),
        sent.map(({ kind, payload }) => ({ kind, payload: [...payload] })),
      )
    }),
    { numRuns: 100 },
  )
})

test('a payload begins where samples may lie', async (t) => {
  const samples = Float32Array.of(0.5, -0.25, 1)
  const bytes = Buffer.concat([encodeMessage(1, Buffer.from('{}')), encodeMessage(3, Buffer.from(samples.buffer))])
  const [, block] = await all(piecesOf(bytes, 7))
  t.deepEqual(new Float32Array(block!.payload.buffer, block!.payload.byteOffset, samples.length), samples)
})

test('a length beyond all blocks is an error, not an allocation', async (t) => {
  const header = Buffer.from([3, 0xff, 0xff, 0xff, 0xff])
  await t.throwsAsync(all(piecesOf(header, 5)), { message: /4294967295 bytes/ })
})

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all(stream: AsyncIterable<Buffer>): Promise<ChildMessage[]> {
  const messages: ChildMessage[] = []
  for await (const message of readMessages(stream)) messages.push(message)
  return messages
}
