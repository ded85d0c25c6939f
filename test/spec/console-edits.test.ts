import test from 'ava'

import { eventually } from '../support/eventually.ts'

/** A file as the console reads it, as far as it matters here. */
interface ReadFile {
  readonly file_id: string
  readonly result: { readonly script: string; readonly segments: readonly object[] }
  readonly edits?: {
    readonly version: number
    readonly undo_version?: number
    readonly redo_version?: number
    readonly notes: readonly { readonly text: string }[]
  }
}

interface Edits {
  canUndo(): boolean
  canRedo(): boolean
  change(changes: readonly object[], done: string): Promise<boolean>
  choose(script: string): Promise<string>
  undo(): Promise<boolean>
  redo(): Promise<boolean>
  isUnderWay(): boolean
  seen(): { readonly notes: readonly { readonly text: string }[] }
}

interface Listening {
  readAgain(more: { script: string }): Promise<ReadFile>
  onChanged(seen: unknown): void
  onTrouble(message: string): void
}

// what the page has of a browser, and no more: `say` and `announce` ask for them
const kept = { getItem: () => null }
Object.assign(globalThis, { sessionStorage: kept, localStorage: kept, document: { getElementById: () => null } })

/** As it is served. */
const served = new URL('../../../gateway/console/page/edits.js', import.meta.url)
const { openEdits } = (await import(served.href)) as { openEdits: (file: ReadFile, listening: Listening) => Edits }

interface Asked {
  readonly body: {
    readonly version: number
    readonly changes: readonly { readonly text?: string; readonly type: string }[]
  }
  readonly keepalive: boolean
  readonly answer: (status: number, body: unknown) => void
  readonly breakOff: () => void
}

/** A server that answers when the test says so, and what it has stored then. */
function opened(standing: Partial<NonNullable<ReadFile['edits']>> = {}) {
  const asked: Asked[] = []
  const troubles: string[] = []
  let stored: ReadFile = {
    file_id: 'a',
    result: { script: 'mixed', segments: [] },
    edits: { version: 1, notes: [], ...standing },
  }
  let isAway = false
  globalThis.fetch = ((_: string, { body, keepalive }: RequestInit) =>
    new Promise((resolve, reject) => {
      asked.push({
        body: JSON.parse(body as string) as Asked['body'],
        keepalive: keepalive === true,
        answer: (status, json) => resolve(new Response(JSON.stringify(json), { status })),
        breakOff: () => reject(new TypeError('network')),
      })
    })) as typeof fetch
  const edits = openEdits(stored, {
    readAgain: ({ script }) =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve({ ...stored, result: { ...stored.result, script } }),
    onChanged: () => undefined,
    onTrouble: (message) => troubles.push(message),
  })
  const made = (text: string, version: number) => ({ version, undo_version: version - 1, notes: [{ text }] })
  const keep = (given: NonNullable<ReadFile['edits']>) => void (stored = { ...stored, edits: given })
  return {
    edits,
    asked,
    troubles,
    next: () => eventually('the server is asked', () => asked.shift()),
    /** Another edits it, or it is edited although no answer came. */
    store: (text: string, version: number) => keep(made(text, version)),
    keep,
    made,
    goAway: () => (isAway = true),
    note: (text: string) => edits.change([{ type: 'note', at: 1, text }], 'done'),
    texts: () => edits.seen().notes.map(({ text }) => text),
  }
}

test.serial('changes are seen at once, and made one after another, each to the version before', async (t) => {
  const { note, texts, next, store, made, edits } = opened()
  const both = [note('one'), note('two')]
  t.deepEqual(texts(), ['one', 'two'])
  t.true(edits.isUnderWay())
  const first = await next()
  t.like(first, { keepalive: true, body: { version: 1 } })
  store('one', 2)
  first.answer(200, { edits: made('one', 2) })
  const second = await next()
  t.is(second.body.version, 2)
  store('one, two', 3)
  second.answer(200, { edits: made('one, two', 3) })
  t.deepEqual(await Promise.all(both), [true, true])
  t.deepEqual(texts(), ['one, two'])
  t.false(edits.isUnderWay())
})

test.serial('one that another was before is not made, nor what was asked for on top of it', async (t) => {
  const { note, texts, next, store, asked, troubles } = opened()
  const both = [note('one'), note('two')]
  const first = await next()
  store('of another', 2)
  first.answer(409, { detail: 'edited meanwhile' })
  t.deepEqual(await Promise.all(both), [false, false])
  t.deepEqual(texts(), ['of another'])
  t.deepEqual(asked, [])
  t.deepEqual(troubles, ['edited meanwhile Not saved, to copy from here: one · two'])
})

test.serial('undo of a change that could not be made undoes nothing else', async (t) => {
  const { note, texts, next, asked, edits } = opened({ undo_version: 0 })
  const all = [note('one'), edits.undo(), note('two')]
  ;(await next()).answer(413, { detail: 'too much' })
  const { body, answer } = await next()
  t.like(body, { version: 1, changes: [{ text: 'two' }] })
  answer(413, { detail: 'too much' })
  t.deepEqual(await Promise.all(all), [false, false, false])
  t.deepEqual(texts(), [])
  t.deepEqual(asked, [])
})

test.serial('a change that is still under way can be undone, once', async (t) => {
  const { note, next, store, keep, made, asked, edits, troubles } = opened()
  t.false(edits.canUndo())
  const change = note('one')
  t.true(edits.canUndo())
  const undone = [edits.undo(), edits.undo()]
  const { answer } = await next()
  store('one', 2)
  answer(200, { edits: made('one', 2) })
  await change
  const back = await next()
  t.like(back.body, { version: 2, changes: [{ type: 'undo' }] })
  const undoneOnce = { version: 3, redo_version: 2, notes: [] }
  keep(undoneOnce)
  back.answer(200, { edits: undoneOnce })
  await Promise.all(undone)
  t.deepEqual([asked, troubles], [[], []])
  t.deepEqual([edits.canUndo(), edits.canRedo()], [false, true])
})

test.serial('who goes back or forth sees at once what was there, as far as this page knows it', async (t) => {
  const { note, texts, next, store, keep, made, edits } = opened({ version: 4, undo_version: 3 })
  const going = async (way: 'undo' | 'redo', then: NonNullable<ReadFile['edits']>) => {
    const gone = edits[way]()
    const seenAtOnce = texts()
    const { answer } = await next()
    keep(then)
    answer(200, { edits: then })
    t.true(await gone)
    t.deepEqual(
      texts(),
      then.notes.map(({ text }) => text),
    )
    return seenAtOnce
  }
  const change = note('one')
  store('one', 5)
  ;(await next()).answer(200, { edits: made('one', 5) })
  await change
  t.deepEqual(await going('undo', { version: 6, undo_version: 3, redo_version: 5, notes: [] }), [])
  t.deepEqual(await going('redo', { version: 7, undo_version: 4, notes: [{ text: 'one' }] }), ['one'])
  t.deepEqual(await going('undo', { version: 8, undo_version: 3, redo_version: 5, notes: [] }), [])
  // it was made elsewhere: what was there before is not known
  t.deepEqual(await going('undo', { version: 9, redo_version: 4, notes: [{ text: 'old' }] }), [])
})

test.serial('what is known in one script is not shown in another', async (t) => {
  const { note, texts, next, store, keep, made, edits } = opened()
  const change = note('one')
  store('one', 2)
  ;(await next()).answer(200, { edits: made('one', 2) })
  await change
  await edits.choose('latin')
  const undone = edits.undo()
  t.deepEqual(texts(), ['one'])
  keep({ version: 3, redo_version: 2, notes: [] })
  ;(await next()).answer(200, { edits: { version: 3, redo_version: 2, notes: [] } })
  await undone
  t.deepEqual(texts(), [])
})

test.serial('one whose answer never came is looked for, and seen where it was made', async (t) => {
  const { note, texts, next, store, troubles } = opened()
  const change = note('one')
  const { breakOff } = await next()
  store('one', 2)
  breakOff()
  t.false(await change)
  t.deepEqual(texts(), ['one'])
  t.is(troubles.length, 1)
})

test.serial('one that was made stays to be seen where it cannot be read again', async (t) => {
  const { note, texts, next, made, goAway } = opened()
  const change = note('one')
  goAway()
  ;(await next()).answer(200, { edits: made('one', 2) })
  t.true(await change)
  t.deepEqual(texts(), ['one'])
  const second = note('two')
  const { body, answer } = await next()
  t.is(body.version, 2)
  answer(200, { edits: made('two', 3) })
  await second
})

test.serial(
  'a script that is chosen while a change is under way comes after it; one that cannot be read is not chosen',
  async (t) => {
    const { note, next, store, made, goAway, edits } = opened()
    void note('one')
    const chosen = edits.choose('latin')
    store('one', 2)
    ;(await next()).answer(200, { edits: made('one', 2) })
    t.is(await chosen, 'latin')
    goAway()
    t.is(await edits.choose('native'), 'latin')
  },
)

test.serial('what is too long for a page that may be closed is sent all the same', async (t) => {
  const { note, next } = opened()
  void note('आ'.repeat(30_000))
  const { keepalive, answer } = await next()
  t.false(keepalive)
  answer(413, {})
})
