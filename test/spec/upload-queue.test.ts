import test from 'ava'
import * as fc from 'fast-check'

import type { Owner } from '../../actors/ids.ts'
import { decideQueue, emptyQueue } from '../../actors/upload/queue.ts'
import type { Owed, QueueCommand, UploadQueue } from '../../actors/upload/queue.ts'
import type { SpooledUpload } from '../../actors/upload/ports.ts'
import { someFacts } from '../support/builders.ts'
import { ownersInDifferentLanes } from '../support/queues.ts'
import { aSpooledUpload } from '../support/spooled-upload.ts'

const concurrency = 4

/** The queue as its actor has it, and what it lets begin. */
function aQueue(places = concurrency) {
  let queue: UploadQueue = emptyQueue
  const running: Owed[] = []
  const tell = (command: QueueCommand): void => {
    const { state, effects } = decideQueue(queue, command, places)
    queue = state
    for (const effect of effects) if (effect.type === 'Run') running.push(effect.owed)
  }
  return {
    running,
    waiting: () => queue.waiting.length,
    upload: (owner: Owner, files: number) => tell({ type: 'TakeUp', upload: anUploadOf(owner, files) }),
    end(owed: Owed | undefined, how: 'Done' | 'Failed' = 'Done') {
      running.splice(running.indexOf(owed!), 1)
      tell(how === 'Done' ? { type: how, owed: owed! } : { type: how, owed: owed!, error: new Error('away') })
    },
  }
}

function anUploadOf(owner: Owner, count: number): SpooledUpload {
  const first = someFacts({ owner })
  const { uploadId } = first
  const files = [first, ...Array.from({ length: count - 1 }, () => someFacts({ owner, uploadId }))]
  const upload = aSpooledUpload(first)
  return { ...upload, manifest: { ...upload.manifest, files }, isStored: false }
}

const ownersOf = (owed: readonly Owed[]): Owner[] => owed.map(({ upload }) => upload.manifest.owner)

test('one user has all places but one, which is for others', (t) => {
  const [many, few] = ownersInDifferentLanes(2) as [Owner, Owner]
  const queue = aQueue()
  queue.upload(many, 100)
  t.deepEqual(ownersOf(queue.running), [many, many, many])
  queue.upload(few, 1)
  t.deepEqual(ownersOf(queue.running), [many, many, many, few])
})

test('a thousand files of one user are not before the next of another', (t) => {
  const [many, few] = ownersInDifferentLanes(2) as [Owner, Owner]
  const queue = aQueue()
  queue.upload(many, 1_000)
  queue.upload(few, 3)
  queue.end(queue.running[0])
  t.deepEqual(ownersOf(queue.running), [many, many, few, few])
  queue.end(queue.running[2])
  t.deepEqual(ownersOf(queue.running), [many, many, few, few])
})

test('of users who are alike those go first who came first, and then in turn', (t) => {
  const [many, one, first, second] = ownersInDifferentLanes(4) as [Owner, Owner, Owner, Owner]
  const queue = aQueue()
  for (const [owner, files] of [[many, 4] as const, [one, 1] as const, [first, 2] as const, [second, 2] as const])
    queue.upload(owner, files)
  t.deepEqual(ownersOf(queue.running), [many, many, many, one])
  for (const next of [first, second, first, second]) {
    queue.end(queue.running[3], 'Failed')
    t.is(ownersOf(queue.running)[3], next)
  }
})

test('where there is one place, everybody has it in turn', (t) => {
  const [owner] = ownersInDifferentLanes(1) as [Owner]
  const queue = aQueue(1)
  queue.upload(owner, 2)
  for (const left of [1, 0]) {
    t.is(queue.running.length, 1)
    t.is(queue.waiting(), left)
    queue.end(queue.running[0])
  }
})

test('whoever uploads how much, no more run than there are places, and none is forgotten', (t) => {
  const uploads = fc.array(fc.record({ owner: fc.nat(3), files: fc.integer({ min: 1, max: 9 }) }), { maxLength: 12 })
  const endings = fc.array(fc.nat(), { maxLength: 200 })
  const owners = ownersInDifferentLanes(4)
  fc.assert(
    fc.property(uploads, endings, fc.integer({ min: 1, max: 5 }), (given, order, places) => {
      const queue = aQueue(places)
      for (const { owner, files } of given) queue.upload(owners[owner]!, files)
      let left = given.reduce((sum, { files }) => sum + files, 0)
      for (let turn = 0; left > 0; turn += 1) {
        t.true(queue.running.length > 0 && queue.running.length <= places)
        queue.end(queue.running[(order[turn] ?? 0) % queue.running.length])
        left -= 1
      }
      t.is(queue.running.length + queue.waiting(), 0)
    }),
  )
})
