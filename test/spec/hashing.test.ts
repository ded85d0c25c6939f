import { createHash, randomBytes } from 'node:crypto'

import test from 'ava'

import { openHashing } from '../../infra/spool/hashing.ts'

const mebibyte = 1024 * 1024
const content = randomBytes(9 * mebibyte + 17)
/** As they come from a network. */
const chunkBytes = 64 * 1024

const hashing = openHashing()
test.after.always(() => hashing.close())

async function hashOf(bytes: Uint8Array): Promise<string> {
  const hash = hashing.begin()
  for (let at = 0; at < bytes.length; at += chunkBytes) await hash.update(bytes.subarray(at, at + chunkBytes))
  return hash.digest()
}

function expected(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

for (const size of [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 6 * mebibyte, content.length])
  test(`${size} bytes are hashed as they are`, async (t) => {
    const bytes = content.subarray(0, size)
    t.is(await hashOf(bytes), expected(bytes))
  })

test('a chunk larger than what is hashed at a time is hashed whole', async (t) => {
  const hash = hashing.begin()
  await hash.update(content)
  t.is(await hash.digest(), expected(content))
})

test('many at once, more than there is room for on the way, do not mix', async (t) => {
  const recordings = Array.from({ length: 12 }, (_, index) => content.subarray(index * 1000))
  t.deepEqual(await Promise.all(recordings.map(hashOf)), recordings.map(expected))
})

test('one that is given up leaves room for the others', async (t) => {
  for (let round = 0; round < 12; round += 1) {
    const hash = hashing.begin()
    await hash.update(content.subarray(0, 3 * mebibyte))
    hash.drop()
  }
  t.is(await hashOf(content), expected(content))
})

test('what is under way when the thread ends is refused, and may be tried again', async (t) => {
  const own = openHashing()
  const hash = own.begin()
  await hash.update(content.subarray(0, 3 * mebibyte))
  await own.close()
  await t.throwsAsync(hash.digest(), { message: /try again/ })
})
