import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

import test from 'ava'

import { watchPassing } from '../../actors/upload/passing-bytes.ts'
import type { StoredBytes } from '../../actors/upload/ports.ts'
import { openHashing } from '../../infra/spool/hashing.ts'

const kibibyte = 1024
const content = randomBytes(300 * kibibyte)
const hashing = openHashing()
test.after.always(() => hashing.close())

async function passed(bytes: Uint8Array): Promise<{ stored: StoredBytes; fetches: number[]; sha256: string }> {
  const passing = watchPassing(hashing)
  const fetches: number[] = []
  for await (const chunk of passing.pass(Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)])))
    if (chunk.length > bytes.length) throw new Error('more came out than went in')
  const blobs = {
    open(_key: string, range = { start: 0, end: bytes.length }) {
      fetches.push(range.start)
      return Promise.resolve(Readable.from([bytes.subarray(range.start, range.end)]))
    },
  }
  return { stored: passing.storedAs(blobs, 'a'), fetches, sha256: passing.sha256 }
}

test('what passes is counted and hashed', async (t) => {
  const { stored, sha256 } = await passed(content)
  t.is(stored.sizeBytes, content.length)
  t.is(sha256, createHash('sha256').update(content).digest('hex'))
})

for (const [where, offset, length, fetched] of [
  ['the beginning', 0, 64 * kibibyte, 0],
  ['the end', 236 * kibibyte, 64 * kibibyte, 0],
  ['the middle', 100 * kibibyte, 5000, 1],
  ['behind the end', 299 * kibibyte, 5000, 0],
  ['across what was kept', 60 * kibibyte, 8 * kibibyte, 1],
] as const)
  test(`${where} of what has passed is read back as it was, with ${fetched} questions to storage`, async (t) => {
    const { stored, fetches } = await passed(content)
    t.deepEqual(await stored.read(offset, length), content.subarray(offset, offset + length))
    t.is(fetches.length, fetched)
  })

test('neighbours in the middle are fetched once', async (t) => {
  const { stored, fetches } = await passed(content)
  for (let at = 0; at < 50; at += 1)
    t.deepEqual(await stored.read((100 + at) * kibibyte, 512), content.subarray((100 + at) * kibibyte).subarray(0, 512))
  t.is(fetches.length, 1)
})

test('what is smaller than what is kept needs no storage', async (t) => {
  const { stored, fetches } = await passed(content.subarray(0, 2000))
  t.deepEqual(await stored.read(0, 2000), content.subarray(0, 2000))
  t.deepEqual(await stored.read(1990, 512), content.subarray(1990, 2000))
  t.deepEqual(fetches, [])
})
