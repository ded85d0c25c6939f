import test from 'ava'
import * as fc from 'fast-check'

import { add, emptySet, has, members, minus, missing, size, union } from '../../actors/bitset.ts'

const someMembers = fc.uniqueArray(fc.nat(300), { maxLength: 40 })
const ascending = (set: Iterable<number>): number[] => [...set].sort((one, other) => one - other)

test('a bitset has what was added to it and nothing else, in ascending order', (t) => {
  fc.assert(
    fc.property(someMembers, (added) => {
      const set = add(emptySet, ...added)
      t.deepEqual(members(set), ascending(added))
      t.is(size(set), added.length)
      for (let member = 0; member < 310; member += 1) t.is(has(set, member), added.includes(member))
    }),
    { numRuns: 50 },
  )
})

test('what is added one by one, in whatever order and however often, is the same string as what is added at once', (t) => {
  fc.assert(
    fc.property(someMembers, fc.array(fc.nat(39)), (added, again) => {
      const repeated = again.flatMap((at) => added.at(at % Math.max(1, added.length)) ?? [])
      const oneByOne = [...added, ...repeated].toReversed().reduce((set, member) => add(set, member), emptySet)
      t.is(oneByOne, add(emptySet, ...added))
    }),
  )
})

test('adding what is there gives the same string back', (t) => {
  const set = add(emptySet, 3, 70)
  t.is(add(set, 70, 3), set)
  t.is(add(set), set)
})

test('union and difference are those of sets', (t) => {
  fc.assert(
    fc.property(someMembers, someMembers, (one, other) => {
      const [first, second] = [add(emptySet, ...one), add(emptySet, ...other)]
      t.deepEqual(members(union(first, second)), ascending(new Set([...one, ...other])))
      t.deepEqual(members(minus(first, second)), ascending(one.filter((member) => !other.includes(member))))
    }),
  )
  t.is(union(), emptySet)
})

test('missing are those below the limit that are in none of the sets', (t) => {
  fc.assert(
    fc.property(fc.nat(200), someMembers, someMembers, (limit, one, other) => {
      const expected = Array.from({ length: limit }, (_, at) => at).filter(
        (member) => !one.includes(member) && !other.includes(member),
      )
      t.deepEqual(missing(limit, add(emptySet, ...one), add(emptySet, ...other)), expected)
    }),
  )
})

test('ten thousand members take less than two kilobytes', (t) => {
  t.true(add(emptySet, ...Array.from({ length: 10_000 }, (_, at) => at)).length < 2048)
})
