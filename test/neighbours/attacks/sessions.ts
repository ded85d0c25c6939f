import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { WebSocket } from 'ws'

import { hostileAddress } from './attack.ts'
import type { Attack, Target } from './attack.ts'

/** Conversations that are none. */

const holdMs = 10_000
const pieceMs = 100
/** A second of loud noise: somebody speaks, and never stops. */
const noise = Buffer.from(Int16Array.from({ length: 24_000 }, () => (Math.random() - 0.5) * 40_000).buffer)
const append = JSON.stringify({ type: 'input_audio_buffer.append', audio: noise.toString('base64') })
const answers = JSON.stringify({ type: 'response.create', response: { instructions: 'Count to a thousand.' } })
const half = Buffer.alloc(1024 * 1024, 'a')

async function session(target: Target, act: (socket: WebSocket) => void): Promise<string> {
  const socket = new WebSocket(`${target.url.replace('http', 'ws')}/v1/realtime?model=vaak`, {
    headers: { authorization: `Bearer ${target.token}` },
    localAddress: hostileAddress,
  })
  let reason = 'held'
  socket.on('error', (error) => (reason = error.message))
  const closed = once(socket, 'close').then(([code]) => (reason = `closed ${code}`))
  const timer = setInterval(() => socket.readyState === WebSocket.OPEN && act(socket), pieceMs)
  try {
    await Promise.race([closed, pause(holdMs, undefined, { signal: target.signal })])
    return reason
  } finally {
    clearInterval(timer)
    socket.terminate()
  }
}

export const sessionAttacks: readonly Attack[] = [
  // ten times as fast as anybody speaks
  { name: 'noise without end', lanes: 10, strike: (target) => session(target, (socket) => socket.send(append)) },
  { name: 'answers without end', lanes: 10, strike: (target) => session(target, (socket) => socket.send(answers)) },
  {
    name: 'frames that never end',
    lanes: 10,
    strike: (target) => session(target, (socket) => socket.send(half, { fin: false })),
  },
  { name: 'sessions in silence', lanes: 40, strike: (target) => session(target, () => undefined) },
]
