import test from 'ava'

import { Socket } from '../../../realtime/socket.ts'

const limits = { sendBufferBytes: 1_000, framesAtOnce: 10, framesPerSecond: 10 }

function aSocket(): { socket: Socket; line: { unread: number; code: number | undefined } } {
  const line = { unread: 0, code: undefined as number | undefined }
  const socket = new Socket(
    {
      cork: (run) => run(),
      send: () => undefined,
      getBufferedAmount: () => line.unread,
      end: (code) => (line.code = code),
    },
    { limits, newId: (prefix) => `${prefix}_1` },
  )
  return { socket, line }
}

/** Whether it has resolved by now. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false
  void promise.then(() => (settled = true))
  await new Promise(setImmediate)
  return settled
}

test('there is room while less than half is unread, and again when that much was read', async (t) => {
  const { socket, line } = aSocket()
  t.true(await isSettled(socket.room(60_000)))
  line.unread = 500
  const room = socket.room(60_000)
  socket.wasRead()
  t.false(await isSettled(room))
  line.unread = 499
  socket.wasRead()
  t.true(await isSettled(room))
  t.is(line.code, undefined)
})

test('who waits for room is let go when the client is gone', async (t) => {
  const { socket, line } = aSocket()
  line.unread = 999
  const room = socket.room(60_000)
  socket.forget()
  t.true(await isSettled(room))
})

test('a client that makes no room in time is closed as one that reads too slowly', async (t) => {
  const { socket, line } = aSocket()
  line.unread = 999
  await socket.room(1)
  t.is(line.code, 1013)
  t.false(socket.isOpen)
})
