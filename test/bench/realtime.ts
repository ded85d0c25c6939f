import { execFileSync } from 'node:child_process'

import { closeAll, connectMany } from './realtime/clients.ts'
import { openCallLine, openSocketLine } from './realtime/lines.ts'
import { loadCore, startPlainServer, startVaakServer } from './realtime/server.ts'
import type { BenchServer } from './realtime/server.ts'
import { conversation } from '../support/client-audio.ts'
import { pieceMs, stream, streamRow } from './realtime/stream.ts'
import { conversationOver, talk, talkRows } from './realtime/talk.ts'
import type { Turn } from './realtime/talk.ts'
import { machine, printTable } from './table.ts'

const idleSessions = 10_000
const streamSeconds = 20
const steps = [100, 250, 500, 750, 1000, 1250, 1500, 2000, 2500, 3000]
const plainSteps = [10, 25, 50, 75, 100, 150, 200]
/** A turn that is told this late is one that the user noticed: the server is behind. */
const behindMs = 1_000
const turns = 20
/** That count for nothing. */
const warmTurns = 2

/** With the numbers that follow its name in place of those above. */
const parts: Readonly<Record<string, (numbers: readonly number[]) => Promise<void>>> = {
  idle: ([sessions = idleSessions]) => idle(sessions),
  stream: (numbers) => streaming('Vaak', startVaakServer, numbers.length > 0 ? numbers : steps),
  plain: (numbers) => streaming('ws, one by one', startPlainServer, numbers.length > 0 ? numbers : plainSteps),
  talk: ([count = turns]) => talking(count),
  call: ([count = turns]) => calling(count),
}

/** Server on one core, load on the other. `-- realtime PART [NUMBER…]` runs one part; without words all of them run. */
export async function realtime([name, ...numbers]: readonly string[]): Promise<void> {
  execFileSync('taskset', ['-p', '-c', loadCore, String(process.pid)], { stdio: 'ignore' })
  for (const one of name === undefined ? Object.keys(parts) : [name]) {
    const part = parts[one]
    if (!part) throw new Error(`There is no part ${one}; there are ${Object.keys(parts).join(', ')}.`)
    await part(numbers.map(Number))
  }
}

async function idle(sessions: number): Promise<void> {
  await withServer(startVaakServer, async (server) => {
    await server.settled()
    const before = await server.memoryMb()
    const sockets = await connectMany(server, sessions)
    await server.settled()
    const after = await server.memoryMb()
    printTable(`${sessions} idle sessions (${machine()})`, [
      {
        'before MB': Math.round(before),
        'with sessions MB': Math.round(after),
        'KB a session': (((after - before) * 1024) / sessions).toFixed(1),
        'event loop p99 ms': Math.round(await server.eventLoopP99Ms()),
      },
    ])
    closeAll(sockets)
  })
}

/** More and more sessions, until turns are told late. */
async function streaming(name: string, start: () => Promise<BenchServer>, counts: readonly number[]): Promise<void> {
  const pieces = await conversation(pieceMs)
  const rows: ReturnType<typeof streamRow>[] = []
  await withServer(start, async (server) => {
    for (const sessions of counts) {
      await server.settled()
      const row = streamRow(name, await stream(server, { sessions, seconds: streamSeconds, pieces }))
      rows.push(row)
      console.log(JSON.stringify(row))
      if (!(row['told late p99 ms'] < behindMs)) break
    }
  })
  printTable(`Sessions that stream at real time, 40 % speech, server VAD, one core (${machine()})`, rows)
}

/** Turns that are transcribed while they are spoken beside turns that are transcribed afterwards. */
async function talking(count: number): Promise<void> {
  const rows: ReturnType<typeof talkRows> = []
  for (const follow of ['true', 'false'])
    await withServer(
      () => startVaakServer({ REALTIME_FOLLOW: follow }),
      async (server) => {
        await server.settled()
        await talk(await openSocketLine(server), warmTurns)
        rows.push(...talkRows(`REALTIME_FOLLOW=${follow}`, await talk(await openSocketLine(server), count)))
      },
    )
  printTable(`Voice to voice, one session, light voice, ${count} turns each (${machine()})`, rows)
}

/** What a call adds: the same turns over a WebSocket and over WebRTC, one here and one there, at one server. */
async function calling(count: number): Promise<void> {
  const rows: ReturnType<typeof talkRows> = []
  await withServer(startVaakServer, async (server) => {
    await server.settled()
    const lines = [await openSocketLine(server), await openCallLine(server)]
    const [bySocket, byCall] = await Promise.all(lines.map(conversationOver))
    const turnsOf: Record<'WebSocket' | 'WebRTC', Turn[]> = { WebSocket: [], WebRTC: [] }
    for (let turn = -warmTurns; turn < count; turn += 1)
      for (const [name, say] of [['WebSocket', bySocket!] as const, ['WebRTC', byCall!] as const]) {
        const done = await say()
        if (done && turn >= 0) turnsOf[name].push(done)
      }
    for (const line of lines) line.close()
    rows.push(...talkRows('WebSocket', turnsOf.WebSocket), ...talkRows('WebRTC', turnsOf.WebRTC))
  })
  printTable(`Voice to voice, one session, light voice, ${count} turns each (${machine()})`, rows)
}

async function withServer(
  start: () => Promise<BenchServer>,
  use: (server: BenchServer) => Promise<void>,
): Promise<void> {
  const server = await start()
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}
