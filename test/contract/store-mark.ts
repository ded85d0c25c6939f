import type { ExecutionContext, TestFn } from 'ava'

import type { Blobs } from '../../actors/ports.ts'
import { knownHere } from '../../infra/blobs/identity.ts'
import type { KnownStore } from '../../infra/blobs/identity.ts'
import { blobBytes, readText, terminally } from './blobs.ts'

/** Where a store is, or is to be: what an operator, or an accident, does to it goes past the adapter. */
interface StorePlace {
  open(known: KnownStore): Promise<Blobs>
  readMark(): Promise<string | undefined>
  /** Nothing takes it away. */
  writeMark(name: string | undefined): Promise<void>
}

const gone = { message: /^storage_unavailable: / }

/** What every object store owes its callers when another, or none, is in its place. `place` is this test's own, empty at first. */
export function storeMarkContract(test: TestFn, place: (t: ExecutionContext) => Promise<StorePlace>): void {
  for (const [how, mark] of [
    ['has lost its mark', undefined],
    ['is another one', 'another-store'],
  ] as const)
    test(`nothing is missing in a store that ${how}, and nothing is put there`, async (t) => {
      const at = await place(t)
      const known = knownHere()
      await (await at.open(known)).put('a/b', blobBytes('x'))
      const name = await at.readMark()
      await at.writeMark(mark)

      const blobs = await at.open(known)
      await t.throwsAsync(blobs.stat('a/none'), gone)
      await t.throwsAsync(blobs.open('a/none'), gone)
      await t.throwsAsync(blobs.open('a/none', { start: 1, end: 1 }), gone)
      await t.throwsAsync(blobs.remove('a/none'), gone)
      await t.throwsAsync(blobs.removeAll('none/'), gone)
      await t.throwsAsync(blobs.check(), gone)
      await t.throwsAsync(blobs.put('a/c', blobBytes('y')), gone)
      await t.throwsAsync(blobs.put('a/c', blobBytes('y'), { ifAbsent: true }), gone)

      await at.writeMark(name)
      t.is(await blobs.put('a/d', blobBytes('z')), 'stored')
      t.is(await blobs.stat('a/c'), undefined)
      await t.throwsAsync(blobs.open('a/none'), terminally('not_found'))
      t.is(await readText(blobs, 'a/b'), 'x')
    })

  test('a miss is not believed when the store goes while it is used', async (t) => {
    const at = await place(t)
    const blobs = await at.open(knownHere())
    t.is(await blobs.stat('a/none'), undefined)
    await at.writeMark('another-store')
    await t.throwsAsync(blobs.stat('a/none'), gone)
    await t.throwsAsync(blobs.open('a/none'), gone)
  })

  test('who starts while the known store is away waits for it and makes none', async (t) => {
    const at = await place(t)
    const known = knownHere()
    await known.remember('known-before')
    const blobs = await at.open(known)
    await t.throwsAsync(blobs.check(), gone)
    await t.throwsAsync(blobs.put('a/b', blobBytes('x')), gone)
    t.is(await at.readMark(), undefined)
  })

  test('who open a new store at once agree on its mark', async (t) => {
    const at = await place(t)
    const stores = await Promise.all(Array.from({ length: 4 }, () => at.open(knownHere())))
    await t.notThrowsAsync(Promise.all(stores.map((blobs) => blobs.stat('a/none'))))
    const mark = await at.readMark()
    t.truthy(mark)
    t.is(await stores[0]!.stat('a/none'), undefined)
    t.is(await at.readMark(), mark)
  })

  test('a store from before there were marks gets one and keeps its objects', async (t) => {
    const at = await place(t)
    await (await at.open(knownHere())).put('a/b', blobBytes('x'))
    await at.writeMark(undefined)
    const blobs = await at.open(knownHere())
    t.is(await blobs.stat('a/none'), undefined)
    t.truthy(await at.readMark())
    t.is(await readText(blobs, 'a/b'), 'x')
  })
}
