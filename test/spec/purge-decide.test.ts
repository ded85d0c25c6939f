import test from 'ava'

import { decide } from '../../actors/purge/decide.ts'
import type { PurgeCommand } from '../../actors/purge/protocol.ts'
import type { Purge } from '../../actors/purge/state.ts'
import { aFileId, anOwner } from '../support/builders.ts'

const promised: Purge = { owner: anOwner(), fileIds: [aFileId()] }
const done: Purge = { ...promised, isDone: true }
const promise: PurgeCommand = { type: 'Promise', purge: promised }

test('a deletion that is promised owes the removal until that is done, however often it is asked for', (t) => {
  t.deepEqual(decide(undefined, promise), { state: promised, effects: [{ type: 'Remove' }] })
  t.deepEqual(decide(promised, { type: 'Wake' }), { state: promised, effects: [{ type: 'Remove' }] })
  t.deepEqual(decide(promised, { type: 'Removed', uploadIds: [] }), { state: done, effects: [] })
  t.deepEqual(decide(done, { type: 'Wake' }), { state: done, effects: [] })
  t.is(decide(done, { type: 'Removed', uploadIds: [] }).state, done)
})

test('a deletion is forgotten after a while, and never before it is done', (t) => {
  t.deepEqual(decide(done, { type: 'Lingered' }).effects, [{ type: 'Forget' }])
  t.deepEqual(decide(promised, { type: 'Lingered' }).effects, [])
})

test('a deletion that is forgotten owes nothing, and does not come back', (t) => {
  const commands: PurgeCommand[] = [{ type: 'Removed', uploadIds: [] }, { type: 'Lingered' }, { type: 'Wake' }]
  for (const command of commands) t.deepEqual(decide(undefined, command), { state: undefined, effects: [] })
})
