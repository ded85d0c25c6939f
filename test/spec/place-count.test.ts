import test from 'ava'

import { countPlaces } from '../../actors/place-count.ts'
import { anOwner } from '../support/builders.ts'

const [asha, ravi] = [anOwner('a'), anOwner('r')]

test('places are counted for each user and for all', (t) => {
  const places = countPlaces()
  for (const owner of [asha, ravi, asha]) places.take(owner)
  t.deepEqual([places.taken, places.takenBy(asha), places.takenBy(ravi)], [3, 2, 1])
})

test('who gives a place back leaves those of others, and one’s own that are still held', (t) => {
  const places = countPlaces()
  for (const owner of [asha, ravi, asha]) places.take(owner)
  places.give(asha)
  t.deepEqual([places.taken, places.takenBy(asha), places.takenBy(ravi)], [2, 1, 1])
  places.give(ravi)
  t.deepEqual([places.taken, places.takenBy(asha), places.takenBy(ravi)], [1, 1, 0])
})
