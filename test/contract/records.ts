import type { ExecutionContext, TestFn } from 'ava'

import type { Records, Revision } from '../../actors/ports.ts'

export interface NoteRecord {
  readonly text: string
  readonly tags?: readonly string[]
}

const writers = 8
/** More than one batched read of the broker takes. */
const manyKeys = 1_300

/** What every store of records owes its callers. `open` gives a store that is this test's own, empty at first. */
export function recordsContract(test: TestFn, open: (t: ExecutionContext) => Promise<Records<NoteRecord>>): void {
  test('what was created is read back, with its revision and its time', async (t) => {
    const records = await open(t)
    const note = { text: 'वाक् 🎤 "quoted"', tags: ['a', ''] }
    const beforeMs = Date.now()
    const revision = revisionOf(await records.create('one', note))
    const stored = await records.read('one')
    t.deepEqual(stored?.value, note)
    t.is(stored?.revision, revision)
    t.true(Math.abs((stored?.storedAtMs ?? 0) - beforeMs) < 60_000)
  })

  test('a record is as old as the time since it was last written', async (t) => {
    const records = await open(t)
    await records.create('one', { text: 'first' })
    const stored = (await records.read('one'))!
    t.true(Math.abs(await records.ageMs(stored)) < 60_000)
    t.true(Math.abs((await records.ageMs({ storedAtMs: stored.storedAtMs - 3_600_000 })) - 3_600_000) < 60_000)
  })

  test('what was never created is not there', async (t) => {
    const records = await open(t)
    t.is(await records.read('nothing'), undefined)
    t.is((await records.readMany(['nothing'])).size, 0)
    t.deepEqual(await records.keys(), [])
  })

  test('a record is created once: the second is told that it exists, and changes nothing', async (t) => {
    const records = await open(t)
    await records.create('one', { text: 'first' })
    t.is(await records.create('one', { text: 'second' }), 'exists')
    t.deepEqual((await records.read('one'))?.value, { text: 'first' })
  })

  test('of many that create at once exactly one succeeds, and its value is there', async (t) => {
    const records = await open(t)
    const outcomes = await Promise.all(
      Array.from({ length: writers }, (_, index) => records.create('one', { text: String(index) })),
    )
    const winners = outcomes.flatMap((outcome, index) => (outcome === 'exists' ? [] : [String(index)]))
    t.is(winners.length, 1)
    t.is((await records.read('one'))?.value.text, winners[0])
  })

  test('a record is replaced by who knows its revision, and the revision grows', async (t) => {
    const records = await open(t)
    const first = revisionOf(await records.create('one', { text: 'first' }))
    const second = revisionOf(await records.replace('one', { text: 'second' }, first))
    t.true(second > first)
    t.like(await records.read('one'), { value: { text: 'second' }, revision: second })
  })

  test('who knows an older revision is told of the conflict, and changes nothing', async (t) => {
    const records = await open(t)
    const first = revisionOf(await records.create('one', { text: 'first' }))
    await records.replace('one', { text: 'second' }, first)
    t.is(await records.replace('one', { text: 'third' }, first), 'conflict')
    t.is((await records.read('one'))?.value.text, 'second')
  })

  test('of many that replace the same revision exactly one succeeds', async (t) => {
    const records = await open(t)
    const revision = revisionOf(await records.create('one', { text: 'first' }))
    const outcomes = await Promise.all(
      Array.from({ length: writers }, (_, index) => records.replace('one', { text: String(index) }, revision)),
    )
    t.is(outcomes.filter((outcome) => outcome !== 'conflict').length, 1)
  })

  test('compare-and-set by many loses no step', async (t) => {
    const records = await open(t)
    await records.create('count', { text: '0' })
    const step = async (): Promise<void> => {
      for (;;) {
        const stored = await records.read('count')
        if (!stored) throw new Error('the record is gone')
        const next = { text: String(Number(stored.value.text) + 1) }
        if ((await records.replace('count', next, stored.revision)) !== 'conflict') return
      }
    }
    await Promise.all(Array.from({ length: writers }, step))
    t.is((await records.read('count'))?.value.text, String(writers))
  })

  test('what is not there cannot be replaced', async (t) => {
    const records = await open(t)
    t.is(await records.replace('nothing', { text: 'new' }, 7), 'conflict')
    t.is(await records.read('nothing'), undefined)
  })

  test('records are read in the order in which they were last written, marks of removals among them', async (t) => {
    const records = await open(t)
    const first = revisionOf(await records.create('one', { text: 'first' }))
    await records.create('two', { text: 'second' })
    await records.create('three', { text: 'third' })
    await records.replace('one', { text: 'last' }, first)
    await records.remove('two')
    const all = await records.inOrder(0, 10)
    t.deepEqual(
      all.map(({ key, value }) => [key, value?.text]),
      [
        ['three', 'third'],
        ['one', 'last'],
        ['two', undefined],
      ],
    )
    t.true(all.every(({ storedAtMs }, at) => at === 0 || storedAtMs >= all[at - 1]!.storedAtMs))
    t.like(await records.read('one'), { revision: all[1]!.revision, storedAtMs: all[1]!.storedAtMs })
    t.deepEqual(await records.inOrder(all[0]!.revision, 1), [all[1]])
    await records.erase('one')
    t.deepEqual(
      (await records.inOrder(0, 10)).map(({ key }) => key),
      ['three', 'two'],
    )
    t.deepEqual(await records.inOrder(all[2]!.revision, 10), [])
  })

  test('compacting leaves every record as it was, and no key behind', async (t) => {
    const records = await open(t)
    const revision = revisionOf(await records.create('one', { text: 'first' }))
    await records.create('two', { text: 'gone' })
    await records.remove('two')
    await records.compact()
    t.like(await records.read('one'), { value: { text: 'first' }, revision })
    t.deepEqual(await records.keys(), ['one'])
    t.deepEqual(
      (await records.inOrder(0, 10)).map(({ key }) => key),
      ['one', 'two'],
    )
    t.is(await records.create('two', { text: 'late' }), 'exists')
  })

  test('a removed record is gone from every reading', async (t) => {
    const records = await open(t)
    const revision = revisionOf(await records.create('one', { text: 'first' }))
    await records.create('two', { text: 'stays' })
    await records.remove('one')
    t.is(await records.read('one'), undefined)
    t.deepEqual(await records.readMany(['one', 'two']), new Map([['two', { text: 'stays' }]]))
    t.deepEqual(await records.keys(), ['two'])
    t.is(await records.replace('one', { text: 'again' }, revision), 'conflict')
  })

  test('the key of a removed record stays taken: a late repetition does not bring it back', async (t) => {
    const records = await open(t)
    await records.create('one', { text: 'first' })
    await records.remove('one')
    t.is(await records.create('one', { text: 'late' }), 'exists')
    t.is(await records.read('one'), undefined)
  })

  test('a key that was removed before anybody created it is taken as well', async (t) => {
    const records = await open(t)
    await records.remove('one')
    t.is(await records.create('one', { text: 'late' }), 'exists')
    t.is(await records.read('one'), undefined)
  })

  test('removing twice, or what was never there, is not an error', async (t) => {
    const records = await open(t)
    await records.create('one', { text: 'first' })
    await records.remove('one')
    await t.notThrowsAsync(records.remove('one'))
    await t.notThrowsAsync(records.remove('never'))
  })

  test('a record is removed by who knows its revision, and stays when it was written since', async (t) => {
    const records = await open(t)
    const first = revisionOf(await records.create('one', { text: 'first' }))
    const second = revisionOf(await records.replace('one', { text: 'second' }, first))
    await records.remove('one', first)
    t.is((await records.read('one'))?.value.text, 'second')
    await records.remove('one', second)
    t.is(await records.read('one'), undefined)
    t.is(await records.create('one', { text: 'late' }), 'exists')
  })

  test('an erased record is gone from every reading, and its key may be made again', async (t) => {
    const records = await open(t)
    const first = revisionOf(await records.create('file.one', { text: 'first' }))
    await records.create('file.one.deeper', { text: 'stays' })
    await records.create('file.two', { text: 'stays' })
    await records.erase('file.one')
    await t.notThrowsAsync(records.erase('file.one'))
    t.is(await records.read('file.one'), undefined)
    t.deepEqual((await records.keys()).sort(), ['file.one.deeper', 'file.two'])
    t.deepEqual([...(await records.readUnder('file')).keys()], ['file.two'])
    t.is(await records.replace('file.one', { text: 'late' }, first), 'conflict')
    t.true(revisionOf(await records.create('file.one', { text: 'again' })) > first)
  })

  test('many are read at once, in whatever number; those that are missing are left out', async (t) => {
    const records = await open(t)
    const keys = Array.from({ length: manyKeys }, (_, index) => `key-${index}`)
    const present = keys.filter((_, index) => index % 100 === 0)
    await Promise.all(present.map((key) => records.create(key, { text: key })))
    const found = await records.readMany(keys)
    t.deepEqual([...found.keys()].sort(), present.toSorted())
    t.is(found.get('key-100')?.text, 'key-100')
    t.is((await records.readMany([])).size, 0)
  })

  test('what is kept under a prefix is read at once: one part more, whole parts, and nothing else', async (t) => {
    const records = await open(t)
    for (const key of ['file.one', 'file.two', 'file', 'files.one', 'file.one.deeper', 'other.one'])
      await records.create(key, { text: key })
    t.deepEqual(
      await records.readUnder('file'),
      new Map([
        ['file.one', { text: 'file.one' }],
        ['file.two', { text: 'file.two' }],
      ]),
    )
  })

  test('what is kept under many prefixes is read at once, in whatever number, as it is now', async (t) => {
    const records = await open(t)
    const prefixes = Array.from({ length: 150 }, (_, index) => `file-${index}`)
    const present = prefixes.filter((_, index) => index % 10 === 0)
    for (const prefix of present)
      for (const part of ['one', 'two']) await records.create(`${prefix}.${part}`, { text: part })
    await records.create('file-0.one.deeper', { text: 'deeper' })
    await records.create('other.one', { text: 'other' })
    await records.remove('file-10.one')
    const found = await records.readManyUnder(prefixes)
    const expected = present
      .flatMap((prefix) => [`${prefix}.one`, `${prefix}.two`])
      .filter((key) => key !== 'file-10.one')
    t.deepEqual([...found.keys()].sort(), expected.toSorted())
    t.is(found.get('file-20.two')?.text, 'two')
    t.is((await records.readManyUnder([])).size, 0)
  })

  test('under a prefix that nobody used there is nothing', async (t) => {
    const records = await open(t)
    await records.create('other.one', { text: 'other' })
    t.deepEqual(await records.readUnder('file'), new Map())
  })

  test('what was removed is not under its prefix any more, and what was replaced is there as it is now', async (t) => {
    const records = await open(t)
    await records.create('file.one', { text: 'first' })
    const revision = revisionOf(await records.create('file.two', { text: 'first' }))
    await records.remove('file.one')
    await records.replace('file.two', { text: 'second' }, revision)
    t.deepEqual(await records.readUnder('file'), new Map([['file.two', { text: 'second' }]]))
  })

  test('there may be any number under a prefix', async (t) => {
    const records = await open(t)
    const keys = Array.from({ length: manyKeys }, (_, index) => `file.${index}`)
    await Promise.all(keys.map((key) => records.create(key, { text: key })))
    t.deepEqual([...(await records.readUnder('file')).keys()].sort(), keys.toSorted())
    t.deepEqual([...(await records.readManyUnder(['file', 'other'])).keys()].sort(), keys.toSorted())
  })

  test('keys are listed, each once', async (t) => {
    const records = await open(t)
    const revision = revisionOf(await records.create('one', { text: 'first' }))
    await records.replace('one', { text: 'second' }, revision)
    await records.create('two.with.parts', { text: 'first' })
    t.deepEqual((await records.keys()).sort(), ['one', 'two.with.parts'])
  })
}

function revisionOf(outcome: Revision | string): Revision {
  if (typeof outcome !== 'number') throw new Error(`no revision but ${outcome}`)
  return outcome
}
