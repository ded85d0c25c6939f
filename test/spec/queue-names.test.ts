import test from 'ava'

import { chunkQueue, fileQueue } from '../../infra/nats/queue/work-kinds.ts'
import {
  batchShard,
  dueSubject,
  fileShard,
  laneOf,
  laterSubject,
  levelCount,
  levelOf,
  tailOf,
  workStreams,
} from '../../infra/nats/topology/queue-names.ts'
import type { WorkRef, WorkStream } from '../../infra/nats/topology/queue-names.ts'
import { aBatchId, anOwner } from '../support/builders.ts'
import { aFileRef } from '../support/queues.ts'

test('lanes and shards do not move: what is stored under them must be found by the next version', (t) => {
  t.deepEqual(
    ['a', 'b', 'c', 'Z', '_-'].map((letters) => laneOf(anOwner(letters))),
    [1, 9, 7, 15, 10],
  )
})

test('users and files spread over all lanes and shards', (t) => {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_')
  const owners = letters.flatMap((one) => letters.map((other) => anOwner(`${one}${other}x`)))
  t.is(new Set(owners.map(laneOf)).size, 16)
  const refs = Array.from({ length: 200 }, () => aFileRef())
  t.is(new Set(refs.map(fileShard)).size, 8)
  t.is(new Set(refs.map(({ batchId }) => batchShard(batchId))).size, 8)
})

test('a subject tells which work it is, due or later', (t) => {
  const ref = aFileRef({ index: 12, batchId: aBatchId() })
  const file = { ...ref, step: 'assemble' as const, attempt: 3 }
  const chunk = { ...ref, chunk: 42, attempt: 10 }
  const atLevel = (level: number) => (stream: WorkStream, of: WorkRef, tail: string) =>
    dueSubject(stream, of, { level, tail })
  for (const subjectOf of [atLevel(0), atLevel(3), laterSubject]) {
    const fileSubject = subjectOf(workStreams.files, ref, fileQueue.tailOf(file))
    t.deepEqual(fileQueue.fromTail(ref, tailOf(workStreams.files, ref, fileSubject)), file)
    const chunkSubject = subjectOf(workStreams.chunkRetries, ref, chunkQueue.tailOf(chunk))
    t.deepEqual(chunkQueue.fromTail(ref, tailOf(workStreams.chunkRetries, ref, chunkSubject)), chunk)
  }
})

test('the version before finds the tail of a subject of ours where it looks for it', (t) => {
  const ref = aFileRef({ index: 12 })
  for (let level = 0; level < levelCount; level += 1) {
    const subject = dueSubject(workStreams.chunks, ref, { level, tail: '42.10' })
    t.false(subject.startsWith('asr.chunk.due.'))
    t.is(subject.slice(laterSubject(workStreams.chunks, ref, '').length), '42.10')
  }
})

test('the more of a user is before it, the later the level, and the last takes the rest', (t) => {
  const levels = [0, 3, 4, 31, 32, 255, 256, 1_000_000].map(levelOf)
  t.deepEqual(levels, [0, 0, 1, 1, 2, 2, 3, 3])
})

test('what is no work is not taken for it', (t) => {
  const work = { ...aFileRef(), chunk: 0, attempt: 1 }
  t.deepEqual(chunkQueue.parse(work), work)
  const wrong = [
    undefined,
    'text',
    {},
    { ...work, chunk: -1 },
    { ...work, attempt: 0 },
    { ...work, attempt: '1' },
    { ...work, owner: 'a.b' },
    { ...work, fileId: '>' },
    { ...work, batchId: undefined },
  ]
  for (const body of wrong) t.is(chunkQueue.parse(body), undefined, JSON.stringify(body))
  t.is(fileQueue.parse({ ...aFileRef(), step: 'sing', attempt: 1 }), undefined)
  t.is(fileQueue.fromTail(aFileRef(), 'plan'), undefined)
})
