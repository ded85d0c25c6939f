import test from 'ava'

import { cut, rowOf } from '../../actors/upload/pieces.ts'
import { createRandom } from '../sim/random.ts'

interface Laid {
  readonly start: number
  readonly sizeBytes: number
}

function stored(pieces: readonly Laid[]) {
  return pieces.map(({ start, sizeBytes }, at) => ({
    key: `resumable/pieces/o/u/${String(start).padStart(16, '0')}.w${at}`,
    sizeBytes,
  }))
}

for (const [what, pieces, sizeBytes] of [
  ['nothing', [], 0],
  ['one', [{ start: 0, sizeBytes: 4 }], 4],
  [
    'two in a row',
    [
      { start: 0, sizeBytes: 4 },
      { start: 4, sizeBytes: 3 },
    ],
    7,
  ],
  [
    'a gap',
    [
      { start: 0, sizeBytes: 4 },
      { start: 5, sizeBytes: 3 },
    ],
    4,
  ],
  ['no beginning', [{ start: 1, sizeBytes: 4 }], 0],
  [
    'a shorter one that was stored later',
    [
      { start: 0, sizeBytes: 8 },
      { start: 0, sizeBytes: 2 },
      { start: 8, sizeBytes: 1 },
    ],
    9,
  ],
  [
    'one within another',
    [
      { start: 0, sizeBytes: 8 },
      { start: 3, sizeBytes: 2 },
    ],
    8,
  ],
] as const)
  // prettier-ignore
  test(`what came is counted from the first byte without a gap: ${what}`, (t) => {
    t.is(rowOf(stored(pieces)).sizeBytes, sizeBytes)
  })

test('pieces that overlap in any way give the bytes that were sent, as far as there is no gap', (t) => {
  for (let seed = 0; seed < 2_000; seed += 1) {
    const random = createRandom(seed, 'pieces')
    const whole = Buffer.from(Array.from({ length: 40 }, (_, at) => at))
    const laid = Array.from({ length: random.below(8) }, () => {
      const start = random.below(whole.length)
      return { start, sizeBytes: random.between(1, whole.length - start) }
    })
    const objects = stored(laid)
    const bytesOf = new Map(
      objects.map(({ key }, at) => [key, whole.subarray(laid[at]!.start, laid[at]!.start + laid[at]!.sizeBytes)]),
    )
    const { sizeBytes, wanted } = rowOf(objects)
    const content = Buffer.concat(wanted.map(({ key, skipBytes }) => bytesOf.get(key)!.subarray(skipBytes)))
    const isThere = (byte: number): boolean => laid.some((one) => one.start <= byte && byte < one.start + one.sizeBytes)
    const gap = [...whole.keys()].find((byte) => !isThere(byte)) ?? whole.length
    t.is(sizeBytes, gap, `seed ${seed}`)
    t.deepEqual(content, whole.subarray(0, gap), `seed ${seed}`)
  }
})

test('what comes is cut into pieces of at most so many bytes, and none is empty', async (t) => {
  for (let seed = 0; seed < 200; seed += 1) {
    const random = createRandom(seed, 'cut')
    const chunks = Array.from({ length: random.below(6) }, () => Buffer.alloc(random.below(30), random.below(256)))
    const source = async function* () {
      yield* chunks
    }
    const rest = cut(source())
    const pieces: Buffer[] = []
    while (await rest.hasMore()) {
      const parts: Uint8Array[] = []
      for await (const part of rest.next(16)) parts.push(part)
      pieces.push(Buffer.concat(parts))
    }
    t.deepEqual(Buffer.concat(pieces), Buffer.concat(chunks), `seed ${seed}`)
    t.true(
      pieces.every(({ length }, at) => length === 16 || (at === pieces.length - 1 && length > 0)),
      `seed ${seed}`,
    )
  }
})
