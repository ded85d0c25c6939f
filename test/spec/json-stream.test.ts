import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import test from 'ava'
import * as fc from 'fast-check'

import { ahead } from '../../gateway/batches/ahead.ts'
import { bodyOf, jsonDocument, jsonLine, jsonLines } from '../../gateway/batches/json-stream.ts'

const large = 'x'.repeat(300_000)

interface Source {
  readonly list: AsyncGenerator<object>
  readonly given: () => number
  readonly isEnded: () => boolean
}

/** Counts how many were asked for, and knows when nobody asks any more. */
function aSource(length: number, failsAt = Infinity): Source {
  let given = 0
  let isEnded = false
  async function* list(): AsyncGenerator<object> {
    try {
      for (let at = 0; at < length; at += 1) {
        if (at === failsAt) throw new Error('storage is away')
        given += 1
        yield await Promise.resolve({ at, large })
      }
    } finally {
      isEnded = true
    }
  }
  return { list: list(), given: () => given, isEnded: () => isEnded }
}

test('what is small is one text', async (t) => {
  const items = { name: 'files', list: aSource(2).list }
  const body = await bodyOf(jsonDocument({ id: 1 }, items, (count) => ({ count })))
  t.deepEqual(JSON.parse(body as string), {
    id: 1,
    files: [
      { at: 0, large },
      { at: 1, large },
    ],
    count: 2,
  })
})

test('a document of nothing is whole', async (t) => {
  const document = jsonDocument({ id: 1 }, { name: 'files', list: aSource(0).list })
  t.is(await bodyOf(document), '{"id":1,"files":[]}')
})

test('what is large is streamed, and complete', async (t) => {
  const body = await bodyOf(jsonDocument({ id: 1 }, { name: 'files', list: aSource(20).list }))
  if (!(body instanceof Readable)) return t.fail('it is not a stream')
  t.is(JSON.parse(await text(body)).files.length, 20)
})

test('no more is made than is read, and a buffer ahead', async (t) => {
  const source = aSource(1000)
  const body = await bodyOf(jsonLines(source.list))
  if (!(body instanceof Readable)) return t.fail('it is not a stream')
  await once(body, 'readable')
  t.true(source.given() < 10, `${source.given()} of 1000`)
  body.destroy()
})

test('when the reader goes away the source is ended', async (t) => {
  const source = aSource(1000)
  const body = await bodyOf(jsonLines(source.list))
  if (!(body instanceof Readable)) return t.fail('it is not a stream')
  await once(body, 'readable')
  body.destroy()
  await once(body, 'close')
  t.true(source.isEnded())
})

test('a source that fails on the way fails the stream, and before that the answer', async (t) => {
  const late = await bodyOf(jsonLines(aSource(20, 10).list))
  if (!(late instanceof Readable)) return t.fail('it is not a stream')
  await t.throwsAsync(text(late), { message: 'storage is away' })
  await t.throwsAsync(bodyOf(jsonLines(aSource(20, 1).list)), { message: 'storage is away' })
})

test('a line has no end of a line in it, by anybody’s count, and says the same', (t) => {
  const isOneLine = fc.property(fc.string({ unit: 'binary' }), (said) => {
    const line = jsonLine({ said: `${said}\u2028\u2029\u0085` })
    return !/[\n\r\v\f\u0085\u2028\u2029]/.test(line) && JSON.parse(line).said.startsWith(said)
  })
  t.notThrows(() => fc.assert(isOneLine))
})

test('ahead runs so many at the same time, and gives them in order', async (t) => {
  let running = 0
  let most = 0
  const seen: number[] = []
  const numbers = Array.from({ length: 20 }, (_, at) => at)
  const run = async (at: number): Promise<number> => {
    running += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < (at % 3) + 1; turn += 1) await new Promise(setImmediate)
    running -= 1
    return at
  }
  for await (const one of ahead(numbers, 4, run)) seen.push(one)
  t.deepEqual(seen, numbers)
  t.is(most, 4)
})

test('ahead fails where its turn comes, and not before', async (t) => {
  const seen: number[] = []
  const run = (at: number): Promise<number> => (at === 2 ? Promise.reject(new Error('two')) : Promise.resolve(at))
  const read = async (): Promise<void> => {
    for await (const one of ahead([0, 1, 2, 3], 4, run)) seen.push(one)
  }
  await t.throwsAsync(read(), { message: 'two' })
  t.deepEqual(seen, [0, 1])
})
