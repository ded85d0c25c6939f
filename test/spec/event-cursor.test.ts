import test from 'ava'
import * as fc from 'fast-check'

import { cursorOf, readCursor } from '../../gateway/events/cursor.ts'

test('a cursor says how many of the first files were told, and which of the next', (t) => {
  t.is(cursorOf(new Set()), '0')
  t.is(cursorOf(new Set([0, 1, 2])), '3')
  t.is(cursorOf(new Set([0, 1, 3, 10])), '2.AgE')
})

test('whatever was told comes back from a cursor, without what the batch does not have', (t) => {
  const told = fc.uniqueArray(fc.nat({ max: 300 }))
  fc.assert(
    fc.property(told, fc.nat({ max: 301 }), (indexes, total) => {
      const cursor = cursorOf(new Set(indexes))
      t.deepEqual(readCursor(cursor, 301), new Set(indexes.toSorted((one, other) => one - other)))
      const within = readCursor(cursor, total)
      t.true(within === undefined || [...within].every((index) => index < total && indexes.includes(index)))
    }),
  )
})

test('what is no cursor is not read', (t) => {
  for (const text of ['', 'x', '-1', '1.', '1.!', '1.AA.AA', '99999999', '4', `0.${'A'.repeat(5000)}`])
    t.is(readCursor(text, 3), undefined, text)
})
