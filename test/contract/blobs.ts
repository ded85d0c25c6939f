import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import type { ExecutionContext, TestFn } from 'ava'

import { FailureError } from '../../actors/failure.ts'
import type { Blobs, BlobSource } from '../../actors/ports.ts'
import type { ObjectStorage } from '../../actors/upload/ports.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'

const mebibyte = 1024 * 1024
/** Three parts of a multipart upload and a bit. */
const largeBytes = 24 * mebibyte + 17
const writers = 8

/** What every object store owes its callers. `open` gives a store that is this test's own, empty at first. */
export function blobsContract(test: TestFn, open: (t: ExecutionContext) => Promise<ObjectStorage>): void {
  test('what was put is read back', async (t) => {
    const blobs = await open(t)
    t.is(await blobs.put('uploads/a/b', blobBytes('hello')), 'stored')
    t.is(await readText(blobs, 'uploads/a/b'), 'hello')
    t.deepEqual(await blobs.stat('uploads/a/b'), { sizeBytes: 5 })
  })

  test('a file on disk is stored whole and stays where it is', async (t) => {
    const blobs = await open(t)
    const source = await aBlobFile(t, Buffer.from('from disk'))
    t.is(await blobs.put('uploads/a/file', source), 'stored')
    t.is(await readText(blobs, 'uploads/a/file'), 'from disk')
    t.is(await blobs.put('uploads/a/again', source), 'stored')
  })

  test('what is below a prefix is listed in the order of keys, with sizes', async (t) => {
    const blobs = await open(t)
    for (const key of ['uploads/b/1/x', 'uploads/a/1', 'uploads/a/1.json', 'uploads/a-/2', 'uploadsx/a/1'])
      await blobs.put(key, blobBytes(key))
    const listed: string[] = []
    for await (const { key, sizeBytes } of blobs.list('uploads/')) {
      listed.push(key)
      t.is(sizeBytes, key.length)
    }
    t.deepEqual(listed, ['uploads/a-/2', 'uploads/a/1', 'uploads/a/1.json', 'uploads/b/1/x'])
    for await (const object of blobs.list('nothing/')) t.fail(object.key)
    t.throws(() => blobs.list('uploads'), { message: /a prefix ends in/ })
  })

  test('a file that does not have the announced size is not stored', async (t) => {
    const blobs = await open(t)
    const source = await aBlobFile(t, Buffer.from('from disk'))
    await t.throwsAsync(blobs.put('uploads/a/file', { ...source, sizeBytes: 3 }), { message: /9 bytes.*not the 3/ })
    t.is(await blobs.stat('uploads/a/file'), undefined)
  })

  test('an object may be empty', async (t) => {
    const blobs = await open(t)
    await blobs.put('empty/memory', { bytes: new Uint8Array() })
    await blobs.put('empty/disk', await aBlobFile(t, Buffer.alloc(0)))
    t.deepEqual(await blobs.stat('empty/memory'), { sizeBytes: 0 })
    t.is(await readText(blobs, 'empty/memory'), '')
    t.is(await readText(blobs, 'empty/disk'), '')
  })

  test('a large file comes back byte for byte', async (t) => {
    const blobs = await open(t)
    const content = randomBytes(largeBytes)
    await blobs.put('large/file', await aBlobFile(t, content))
    t.deepEqual(await blobs.stat('large/file'), { sizeBytes: largeBytes })
    t.is(sha256(await readBytes(blobs, 'large/file')), sha256(content))
  })

  for (const sizeBytes of [0, 1, 8 * mebibyte, largeBytes])
    test(`a stream of ${sizeBytes} bytes comes back byte for byte, however it was cut`, async (t) => {
      const blobs = await open(t)
      const content = randomBytes(sizeBytes)
      await blobs.write('streamed/file', inOddPieces(content))
      t.deepEqual(await blobs.stat('streamed/file'), { sizeBytes })
      t.is(sha256(await readBytes(blobs, 'streamed/file')), sha256(content))
    })

  for (const sizeBytes of [1000, largeBytes])
    test(`a stream that breaks after ${sizeBytes} bytes leaves no object`, async (t) => {
      const blobs = await open(t)
      await t.throwsAsync(blobs.write('streamed/half', brokenAfter(randomBytes(sizeBytes))), { message: /broken off/ })
      t.is(await blobs.stat('streamed/half'), undefined)
      t.is(await blobs.removeAll('streamed/'), 0)
    })

  test('a large body in memory comes back byte for byte', async (t) => {
    const blobs = await open(t)
    const content = randomBytes(largeBytes)
    await blobs.put('large/memory', { bytes: content })
    t.is(sha256(await readBytes(blobs, 'large/memory')), sha256(content))
  })

  for (const [range, expected] of [
    [{ start: 2 }, '23456789'],
    [{ start: 2, end: 5 }, '234'],
    [{ start: 0, end: 1 }, '0'],
    [{ start: 8, end: 99 }, '89'],
    [{ start: 3, end: 3 }, ''],
    [{ start: 10 }, ''],
    [{ start: 99, end: 120 }, ''],
  ] as const)
    test(`the range ${JSON.stringify(range)} of ten digits is "${expected}"`, async (t) => {
      const blobs = await open(t)
      await blobs.put('digits', blobBytes('0123456789'))
      t.is((await buffer(await blobs.open('digits', range))).toString(), expected)
    })

  test('a range that counts from below zero is a mistake of the caller', async (t) => {
    const blobs = await open(t)
    await blobs.put('digits', blobBytes('0123456789'))
    await t.throwsAsync(blobs.open('digits', { start: -1 }), { instanceOf: RangeError })
  })

  test('a reader that leaves early does no harm', async (t) => {
    const blobs = await open(t)
    await blobs.put('large/left', { bytes: randomBytes(2 * mebibyte) })
    for (let round = 0; round < 20; round += 1) {
      const reader = await blobs.open('large/left')
      if (round % 2 === 0) await reader[Symbol.asyncIterator]().next()
      reader.destroy()
    }
    t.deepEqual(await blobs.stat('large/left'), { sizeBytes: 2 * mebibyte })
  })

  test('what is not there is not found, and has no size', async (t) => {
    const blobs = await open(t)
    await blobs.put('here/it/is', blobBytes('x'))
    for (const key of ['nowhere', 'here/it', 'here/it/isnt']) {
      t.is(await blobs.stat(key), undefined)
      await t.throwsAsync(blobs.open(key), terminally('not_found'))
      await t.throwsAsync(blobs.open(key, { start: 1, end: 1 }), terminally('not_found'))
    }
  })

  test('a later put replaces an earlier one', async (t) => {
    const blobs = await open(t)
    await blobs.put('again', blobBytes('first, and longer'))
    t.is(await blobs.put('again', blobBytes('second')), 'stored')
    t.is(await readText(blobs, 'again'), 'second')
  })

  test('with ifAbsent the first writer wins and the later one is told', async (t) => {
    const blobs = await open(t)
    t.is(await blobs.put('results/1', blobBytes('first'), { ifAbsent: true }), 'stored')
    t.is(await blobs.put('results/1', blobBytes('second'), { ifAbsent: true }), 'exists')
    t.is(await blobs.put('results/1', await aBlobFile(t, Buffer.from('third')), { ifAbsent: true }), 'exists')
    t.is(await readText(blobs, 'results/1'), 'first')
  })

  for (const [size, sizeBytes] of [
    ['small', 1000],
    ['large', 9 * mebibyte],
  ] as const)
    test(`of ${writers} concurrent ${size} puts with ifAbsent exactly one wins`, async (t) => {
      const blobs = await open(t)
      const contents = Array.from({ length: writers }, (_, writer) => Buffer.alloc(sizeBytes, writer))
      const sources = await Promise.all(contents.map((content) => aBlobFile(t, content)))
      const outcomes = await Promise.all(sources.map((source) => blobs.put('results/1', source, { ifAbsent: true })))
      t.is(outcomes.filter((outcome) => outcome === 'stored').length, 1)
      t.true((await readBytes(blobs, 'results/1')).equals(contents[outcomes.indexOf('stored')]!))
    })

  test('a reader sees one version whole while others overwrite it', async (t) => {
    const blobs = await open(t)
    const version = (writer: number) => ({ bytes: Buffer.alloc(mebibyte, writer) })
    await blobs.put('contended', version(0))
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => blobs.put('contended', version(writer))))
    const seen = await Promise.all(Array.from({ length: 12 }, () => readBytes(blobs, 'contended')))
    await writing
    for (const content of seen) t.true(content.length === mebibyte && content.every((byte) => byte === content[0]))
  })

  test('an aborted put leaves nothing', async (t) => {
    const blobs = await open(t)
    await isAborted(t, blobs.put('aborted/before', blobBytes('x'), { signal: AbortSignal.abort() }))
    for (const [key, source] of [
      ['aborted/disk', await aBlobFile(t, randomBytes(largeBytes), { mode: 0o644 })],
      ['aborted/memory', { bytes: randomBytes(largeBytes) }],
    ] as const) {
      const abort = new AbortController()
      const putting = blobs.put(key, source, { signal: abort.signal })
      setImmediate(() => abort.abort())
      await isAborted(t, putting)
    }
    t.is(await blobs.removeAll('aborted/'), 0)
  })

  test('an aborted overwrite leaves the earlier object', async (t) => {
    const blobs = await open(t)
    await blobs.put('kept', blobBytes('earlier'))
    await isAborted(t, blobs.put('kept', blobBytes('later'), { signal: AbortSignal.abort() }))
    t.is(await readText(blobs, 'kept'), 'earlier')
  })

  test('removing says whether there was something to remove', async (t) => {
    const blobs = await open(t)
    await blobs.put('gone/soon', blobBytes('x'))
    await blobs.put('gone/not', blobBytes('x'))
    t.true(await blobs.remove('gone/soon'))
    t.false(await blobs.remove('gone/soon'))
    t.false(await blobs.remove('gone'))
    t.false(await blobs.remove('never/was/here'))
    t.deepEqual(await blobs.stat('gone/not'), { sizeBytes: 1 })
  })

  test('removing all below a prefix counts them and spares the neighbours', async (t) => {
    const blobs = await open(t)
    const below = ['files/1/a', 'files/1/b', 'files/1/deep/er/c']
    const beside = ['files/10/a', 'files/1x', 'files/2/a']
    for (const key of [...below, ...beside]) await blobs.put(key, blobBytes(key))
    t.is(await blobs.removeAll('files/1/'), below.length)
    t.is(await blobs.removeAll('files/1/'), 0)
    for (const key of below) t.is(await blobs.stat(key), undefined)
    for (const key of beside) t.is(await readText(blobs, key), key)
  })

  test('a key is free again after its removal', async (t) => {
    const blobs = await open(t)
    await blobs.put('free/again', blobBytes('first'), { ifAbsent: true })
    await blobs.removeAll('free/')
    t.is(await blobs.put('free/again', blobBytes('second'), { ifAbsent: true }), 'stored')
    t.is(await readText(blobs, 'free/again'), 'second')
  })

  test('puts and removals of one folder do not disturb each other', async (t) => {
    const blobs = await open(t)
    const putting = Array.from({ length: 60 }, (_, index) => blobs.put(`busy/in/here/${index}`, blobBytes('x')))
    const removing = Array.from({ length: 20 }, () => blobs.removeAll('busy/in/'))
    const single = Array.from({ length: 20 }, (_, index) => blobs.remove(`busy/in/here/${index}`))
    await t.notThrowsAsync(Promise.all([...putting, ...removing, ...single]))
    await blobs.removeAll('busy/')
    t.is(await blobs.put('busy/in/here/after', blobBytes('x')), 'stored')
    t.is(await blobs.removeAll('busy/'), 1)
  })

  test('every visible character may be in a key', async (t) => {
    const blobs = await open(t)
    const key = `odd/${String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index)).replace('/', '')}`
    await blobs.put(key, blobBytes('odd'))
    t.is(await readText(blobs, key), 'odd')
    t.is(await blobs.removeAll('odd/'), 1)
  })

  test('what is not a key is refused before anything is touched', async (t) => {
    const blobs = await open(t)
    const refused = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/../b',
      './a',
      'a b',
      'a\nb',
      'a\0b',
      'वाक्',
      'k'.repeat(513),
    ]
    for (const key of refused) {
      await t.throwsAsync(blobs.put(key, blobBytes('x')), terminally('invalid_request'), key)
      await t.throwsAsync(blobs.open(key), terminally('invalid_request'), key)
      await t.throwsAsync(blobs.stat(key), terminally('invalid_request'), key)
      await t.throwsAsync(blobs.remove(key), terminally('invalid_request'), key)
    }
    for (const prefix of ['', '/', 'a', '../', 'a//', 'a/../'])
      await t.throwsAsync(blobs.removeAll(prefix), terminally('invalid_request'), prefix)
  })

  test('a store that can be written to passes its check', async (t) => {
    const blobs = await open(t)
    // a server that has only just started may take longer over the first than a check waits
    t.true(await eventually('it passes', () => blobs.check().then(() => true)))
  })
}

export function terminally(code: string) {
  return { instanceOf: FailureError, message: new RegExp(`^${code}: `) }
}

export function blobBytes(text: string): BlobSource {
  return { bytes: Buffer.from(text) }
}

export function readBytes(blobs: Blobs, key: string): Promise<Buffer> {
  return blobs.open(key).then(buffer)
}

export async function readText(blobs: Blobs, key: string): Promise<string> {
  return (await readBytes(blobs, key)).toString()
}

/** As the spool leaves it: mode 0600, so that a store on the same disk may link it. */
export async function aBlobFile(t: ExecutionContext, content: Buffer, { mode = 0o600 } = {}) {
  const path = join(await aFolder(t), 'source')
  await writeFile(path, content, { mode })
  return { path, sizeBytes: content.length }
}

/** An AbortSignal's own reason is a DOMException, which ava does not count as an error. */
async function isAborted(t: ExecutionContext, putting: Promise<unknown>): Promise<void> {
  t.like(await t.throwsAsync(putting, { any: true }), { name: 'AbortError' })
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

async function* inOddPieces(content: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 65_537
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size)
}

async function* brokenAfter(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* inOddPieces(content)
  throw new Error('broken off')
}
