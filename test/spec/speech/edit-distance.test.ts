import test from 'ava'
import * as fc from 'fast-check'

import { editDistance, editDistanceBy } from '../../../infra/speech/text/edit-distance.ts'

test('an edit distance is a distance', (t) => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })
  const isDistance = fc.property(text, text, text, (a, b, c) => {
    const ab = editDistance(a, b)
    return (
      ab === editDistance(b, a) &&
      (ab === 0) === (a.join() === b.join()) &&
      ab <= editDistance(a, c) + editDistance(c, b) &&
      ab >= Math.abs(a.length - b.length) &&
      ab <= Math.max(a.length, b.length)
    )
  })
  t.notThrows(() => fc.assert(isDistance))
})

test('it is the one of the table that has a row for each element, also beyond one block of bits', (t) => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 150 })
  t.notThrows(() => fc.assert(fc.property(text, text, (a, b) => editDistance(a, b) === distanceByTable(a, b))))
})

test('likeness may be more than being equal, and many may be like many', (t) => {
  const texts = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 120 })
  const isSame = (one: number, other: number): boolean => one === other || one + other === 5
  const agrees = fc.property(texts, texts, (from, to) => {
    const places = [0, 1, 2, 3, 4, 5].map((value) => from.flatMap((one, at) => (isSame(one, value) ? [at] : [])))
    const got = editDistanceBy(from.length, to.length, (at) => [places[to[at]!]!, places[5 - to[at]!]!])
    return got === distanceByTable(from, to, isSame)
  })
  t.notThrows(() => fc.assert(agrees))
})

function distanceByTable<One>(
  from: readonly One[],
  to: readonly One[],
  isSame = (one: One, other: One): boolean => one === other,
): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [at, one] of from.entries()) {
    const below = [at + 1]
    for (const [column, other] of to.entries())
      below.push(Math.min(row[column]! + (isSame(one, other) ? 0 : 1), row[column + 1]! + 1, below[column]! + 1))
    row = below
  }
  return row[to.length]!
}
