import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import { putSnapshot } from '../../infra/nats/backup/put-snapshot.ts'
import { takeSnapshot } from '../../infra/nats/backup/take-snapshot.ts'
import { aNatsServer } from '../support/nats.ts'

const name = 'large'
const messages = 80
const messageBytes = 512 * 1024

test('a stream larger than what a broker sends unacknowledged comes back whole, with its consumers', async (t) => {
  const connection = await (await aNatsServer(t)).connect()
  const manager = await jetstreamManager(connection)
  const js = jetstream(connection)
  await manager.streams.add({ name, subjects: ['large.*'] })
  await manager.consumers.add(name, { durable_name: 'reader', ack_policy: 'explicit', max_ack_pending: 7 })
  for (let index = 0; index < messages; index += 1) await js.publish(`large.${index}`, randomBytes(messageBytes))
  const read = await js.consumers.get(name, 'reader')
  const first = await read.next()
  await first?.ackAck()
  const middle = await manager.streams.getMessage(name, { seq: messages / 2 })

  const pieces: Buffer[] = []
  const facts = await takeSnapshot(connection, name, async (piece) => {
    pieces.push(Buffer.from(piece))
    await nextTurn() // others may be sent meanwhile, as while a disk writes
  })
  t.true(Buffer.concat(pieces).length > messages * messageBytes)
  await manager.streams.delete(name)
  await putSnapshot(
    connection,
    facts,
    (async function* all() {
      yield* pieces
    })(),
  )

  t.is((await manager.streams.info(name)).state.messages, messages)
  t.deepEqual((await manager.streams.getMessage(name, { seq: messages / 2 }))?.data, middle?.data)
  const consumer = await manager.consumers.info(name, 'reader')
  t.is(consumer.config.max_ack_pending, 7)
  t.is(consumer.ack_floor.stream_seq, 1)
})

test('pieces that are damaged, or a stream that is there, are refused in the words of the broker', async (t) => {
  const connection = await (await aNatsServer(t)).connect()
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name, subjects: ['large.*'] })
  const pieces: Buffer[] = []
  const facts = await takeSnapshot(connection, name, async (piece) => void pieces.push(Buffer.from(piece)))
  const send = (content: Buffer) =>
    putSnapshot(
      connection,
      facts,
      (async function* one() {
        yield content
      })(),
    )
  await t.throwsAsync(send(Buffer.concat(pieces)), { message: /the broker says: stream name already in use/ })
  await manager.streams.delete(name)
  await t.throwsAsync(send(randomBytes(1000)), { message: /the broker says: restore failed/ })
  await t.throwsAsync(
    takeSnapshot(connection, name, () => Promise.resolve()),
    { message: /stream not found/ },
  )
})
