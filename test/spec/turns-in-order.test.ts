import test from 'ava'
import * as fc from 'fast-check'

/** As it is served. */
const served = new URL('../../../gateway/console/page/turns-in-order.js', import.meta.url)
const { turnsInOrder } = (await import(served.href)) as {
  turnsInOrder: (listeners: Record<'partial' | 'final', (words: string) => unknown>) => {
    begin: (id: string) => void
    add: (id: string, more: string) => void
    end: (id: string, words?: string) => void
    isQuiet: () => boolean
  }
}

function aDictation() {
  const written: string[] = []
  let live = ''
  const turns = turnsInOrder({
    partial: (words: string) => (live = words),
    final: (words: string) => written.push(words),
  })
  return { turns, written, live: () => live }
}

test('a turn that is done first waits for the one that was begun first', (t) => {
  const { turns, written, live } = aDictation()
  turns.begin('a')
  turns.add('a', 'कल')
  turns.begin('b')
  turns.end('b', 'Yes.')
  t.deepEqual(written, [])
  t.is(live(), 'कल Yes.')
  turns.end('a', 'कल meeting है।')
  t.deepEqual(written, ['कल meeting है।', 'Yes.'])
  t.true(turns.isQuiet())
})

test('one that failed keeps the words that came so far, and one of silence has none', (t) => {
  const { turns, written } = aDictation()
  turns.add('a', 'so far')
  turns.end('a')
  turns.begin('b')
  turns.end('b', '')
  t.deepEqual(written, ['so far'])
})

test('whatever is done first, everything is written in the order in which it was begun', (t) => {
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), (order) => {
      const { turns, written, live } = aDictation()
      for (const id of [0, 1, 2, 3, 4, 5]) turns.begin(`${id}`)
      for (const id of order) turns.end(`${id}`, `turn ${id}`)
      t.deepEqual(
        written,
        [0, 1, 2, 3, 4, 5].map((id) => `turn ${id}`),
      )
      t.is(live(), '')
    }),
  )
})
