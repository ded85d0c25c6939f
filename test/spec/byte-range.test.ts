import test from 'ava'

import { byteRangeOf } from '../../gateway/files/byte-range.ts'
import type { ByteRange } from '../../gateway/files/byte-range.ts'

const whole: ByteRange = { type: 'whole' }
const part = (start: number, end: number): ByteRange => ({ type: 'part', start, end })

for (const [header, expected] of [
  [undefined, whole],
  ['bytes=0-', part(0, 100)],
  ['bytes=10-19', part(10, 20)],
  ['bytes=90-1000', part(90, 100)],
  ['bytes=-30', part(70, 100)],
  ['bytes=-1000', part(0, 100)],
  ['bytes=99-99', part(99, 100)],
  ['bytes=100-', { type: 'unsatisfiable' }],
  ['bytes=-0', { type: 'unsatisfiable' }],
  ['bytes=20-10', whole],
  ['bytes=0-1,5-6', whole],
  ['bytes=-', whole],
  ['bytes=a-b', whole],
  ['seconds=0-1', whole],
  [`bytes=${'9'.repeat(40)}-`, whole],
] as const)
  test(`of a hundred bytes, "${header}" is ${JSON.stringify(expected)}`, (t) => {
    t.deepEqual(byteRangeOf(header, 100), expected)
  })

test('nothing of an empty file can be asked for', (t) => {
  t.deepEqual(byteRangeOf('bytes=0-', 0), { type: 'unsatisfiable' })
})
