import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

import { closeAll, connectMany } from './realtime/clients.ts'
import { loadCore, startPlainServer, startVaakServer } from './realtime/server.ts'
import type { BenchServer } from './realtime/server.ts'
import { conversation } from './realtime/sound.ts'
import { stream, streamRow } from './realtime/stream.ts'
import { talk, talkRows } from './realtime/talk.ts'
import { machine, printTable } from './table.ts'

const idleSessions = 10_000
const settleMs = 3_000
const streamSeconds = 20
const steps = [100, 250, 500, 750, 1000, 1250, 1500, 2000] as const
const plainSteps = [10, 25, 50, 75, 100, 150, 200] as const
/** A turn that is told this late is one that the user noticed: the server is behind. */
const behindMs = 1_000
const turns = 20

const parts: Readonly<Record<string, () => Promise<void>>> = { idle, stream: streaming, talk: talking }

/** Server on one core, load on the other. `-- realtime idle stream talk` chooses parts; all of them unless told. */
export async function realtime(words: readonly string[]): Promise<void> {
  execFileSync('taskset', ['-p', '-c', loadCore, String(process.pid)], { stdio: 'ignore' })
  for (const word of words.length > 0 ? words : Object.keys(parts)) {
    const part = parts[word]
    if (!part) throw new Error(`There is no part ${word}; there are ${Object.keys(parts).join(', ')}.`)
    await part()
  }
}

async function idle(): Promise<void> {
  await withServer(startVaakServer, async (server) => {
    // the recognisers are opened in the background, and are no cost of sessions
    await pause(10 * settleMs)
    const before = await server.memoryMb()
    const sockets = await connectMany(server, idleSessions)
    await pause(settleMs)
    const after = await server.memoryMb()
    printTable(`${idleSessions} idle sessions (${machine()})`, [
      {
        'before MB': Math.round(before),
        'with sessions MB': Math.round(after),
        'KB a session': (((after - before) * 1024) / idleSessions).toFixed(1),
        'event loop p99 ms': Math.round(await server.eventLoopP99Ms()),
      },
    ])
    closeAll(sockets)
  })
}

async function streaming(): Promise<void> {
  const pieces = await conversation(100)
  printTable(`Sessions that stream at real time, 40 % speech, server VAD, one core (${machine()})`, [
    ...(await untilBehind('Vaak', { start: startVaakServer, steps, pieces })),
    ...(await untilBehind('ws, one by one', { start: startPlainServer, steps: plainSteps, pieces })),
  ])
}

/** More and more sessions, until turns are told late. */
async function untilBehind(
  name: string,
  of: { start: () => Promise<BenchServer>; steps: readonly number[]; pieces: readonly string[] },
) {
  const rows: ReturnType<typeof streamRow>[] = []
  await withServer(of.start, async (server) => {
    await pause(10 * settleMs)
    for (const sessions of of.steps) {
      const row = streamRow(name, await stream(server, { sessions, seconds: streamSeconds, pieces: of.pieces }))
      rows.push(row)
      console.log(JSON.stringify(row))
      if (!(row['told late p99 ms'] < behindMs)) break
      await pause(settleMs)
    }
  })
  return rows
}

async function talking(): Promise<void> {
  await withServer(startVaakServer, async (server) => {
    await pause(10 * settleMs)
    await talk(server, 2)
    const done = await talk(server, turns)
    printTable(`Voice to voice, one session, ${done.length} turns (${machine()})`, talkRows(done))
  })
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
