import test from 'ava'
import * as fc from 'fast-check'

import type { UploadCommand } from '../../actors/upload/protocol.ts'
import { decide, owedByUpload } from '../../actors/upload/decide.ts'
import type { UploadProgress, UploadedFile } from '../../actors/upload/state.ts'
import { aFile, someFacts } from '../support/builders.ts'

const commands: readonly UploadCommand[] = [
  { type: 'Begin' },
  { type: 'Stored', storageKey: 'uploads/key' },
  { type: 'GiveUp', reason: 'storage stayed away' },
  { type: 'Purge' },
  { type: 'Share' },
]

const after = (file: UploadedFile, given: readonly UploadCommand[]): UploadedFile =>
  given.reduce((state, command) => decide(state, command), file)

const [begin, stored, giveUp, purge, share] = commands as [
  UploadCommand,
  UploadCommand,
  UploadCommand,
  UploadCommand,
  UploadCommand,
]

const moves: readonly [from: UploadProgress['status'], command: UploadCommand, to: UploadProgress['status']][] = [
  ['pending', begin, 'uploading'],
  ['pending', stored, 'completed'],
  ['pending', giveUp, 'failed'],
  ['uploading', begin, 'uploading'],
  ['uploading', stored, 'completed'],
  ['uploading', giveUp, 'failed'],
  ['completed', begin, 'completed'],
  ['completed', giveUp, 'completed'],
  ['failed', begin, 'failed'],
  ['failed', stored, 'failed'],
  ['completed', purge, 'purging'],
  ['failed', purge, 'purging'],
  ['pending', purge, 'purging'],
  ['uploading', purge, 'purging'],
  ['purging', stored, 'purging'],
  ['purging', giveUp, 'purging'],
]

for (const [from, command, to] of moves)
  test(`a file that is ${from} and is told ${command.type} is ${to}`, (t) => {
    t.is(decide(aFile(from), command).status, to)
  })

test('a command that comes twice changes nothing the second time', (t) => {
  for (const from of ['pending', 'uploading', 'completed', 'failed', 'purging'] as const)
    for (const command of commands) {
      const once = decide(aFile(from), command)
      t.is(decide(once, command), once, `${from} ${command.type}`)
    }
})

test('whatever happens, a settled file stays as it settled until it is purged, and a purged one stays purged', (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...commands), { maxLength: 12 }), (given) => {
      let settled: UploadedFile | undefined
      let state = aFile('pending')
      for (const command of given) {
        state = decide(state, command)
        if (settled) t.true(state.status === settled.status || state.status === 'purging')
        if (state.status !== 'pending' && state.status !== 'uploading') settled = state
      }
    }),
  )
})

test('the facts of a file never change, but its name goes with it', (t) => {
  const facts = someFacts()
  t.like(after({ ...facts, status: 'pending' }, [begin, stored, share]), facts)
  t.like(after({ ...facts, status: 'pending' }, commands), { ...facts, filename: '' })
})

test('a purged file keeps neither its key nor its reason', (t) => {
  t.false('storageKey' in decide(aFile('completed'), purge))
  t.false('reason' in decide(aFile('failed'), purge))
})

test('only what is stored is shared, and its deletion remembers that', (t) => {
  for (const from of ['pending', 'uploading', 'failed', 'purging'] as const)
    t.false('isShared' in decide(aFile(from), share), from)
  t.like(after(aFile('completed'), [share, purge]), { status: 'purging', isShared: true })
  t.false('isShared' in decide(aFile('completed'), purge))
})

test("a file owes what its state says: bytes that are nobody's any more go, and room in the spool is given back last", (t) => {
  const effects = (file: UploadedFile | undefined) => owedByUpload(file).map(({ type }) => type)
  t.deepEqual(effects(aFile('pending')), [])
  t.deepEqual(effects(aFile('uploading')), ['List', 'Store'])
  t.deepEqual(effects(aFile('completed')), ['List', 'Release'])
  t.deepEqual(effects(aFile('failed')), ['List', 'Release'])
  t.deepEqual(effects(aFile('purging')), ['Discard', 'Release'])
  t.deepEqual(effects(undefined), ['Discard', 'Release'])
})
