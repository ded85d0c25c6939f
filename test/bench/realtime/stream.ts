import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import type { WebSocket } from 'ws'

import { percentile } from '../table.ts'
import { closeAll, connectMany } from './clients.ts'
import type { BenchServer } from './server.ts'

export const pieceMs = 100
const tickMs = 10
const warmUpSeconds = 5
/** Spreads any number of sessions evenly over the conversation. */
const goldenRatio = 0.618_034

interface Streamed {
  readonly sessions: number
  /** From when a turn's end was sent to when it was told. */
  readonly lags: readonly number[]
  readonly loopP99Ms: number
  readonly coreShare: number
  readonly seconds: number
  /** The sender itself was late: then the figures say nothing about the server. */
  readonly senderLateMs: number
}

/** So many sessions that speak at real time, each at a place of its own in the conversation. */
export async function stream(
  server: BenchServer,
  input: { readonly sessions: number; readonly seconds: number; readonly pieces: readonly Buffer[] },
): Promise<Streamed> {
  const sockets = await connectMany(server, input.sessions)
  const lags: number[] = []
  const closings: string[] = []
  for (const socket of sockets) socket.once('close', (code, reason) => void closings.push(`${code} ${String(reason)}`))
  const speakers = sockets.map((socket, at) => aSpeaker(socket, { ...input, at, lags }))
  let senderLateMs = 0
  try {
    const startedMs = performance.now()
    for (let tick = 0; tick * tickMs < (input.seconds + warmUpSeconds) * 1000; tick += 1) {
      const dueMs = startedMs + tick * tickMs
      senderLateMs = Math.max(senderLateMs, performance.now() - dueMs)
      // each tick sends for a part of them, so that nobody's pieces come in one burst
      for (let at = tick % (pieceMs / tickMs); at < speakers.length; at += pieceMs / tickMs) speakers[at]!()
      if (tick * tickMs === warmUpSeconds * 1000) {
        await Promise.all([server.eventLoopP99Ms(), server.coreShare()])
        lags.length = 0
        senderLateMs = 0
      }
      await pause(Math.max(0, dueMs + tickMs - performance.now()))
    }
    if (closings.length > 0) throw new Error(`${closings.length} sessions were closed, the first with ${closings[0]}`)
    const coreShare = await server.coreShare()
    return { ...input, lags, loopP99Ms: await server.eventLoopP99Ms(), coreShare, senderLateMs }
  } finally {
    closeAll(sockets)
  }
}

/** Sends its next piece whenever it is called; notes how late the ends of its turns are told. */
function aSpeaker(
  socket: WebSocket,
  input: { readonly at: number; readonly pieces: readonly Buffer[]; readonly lags: number[] },
): () => void {
  const turnDetection = { type: 'server_vad', create_response: false, interrupt_response: false }
  const session = { type: 'realtime', audio: { input: { turn_detection: turnDetection } } }
  socket.send(JSON.stringify({ type: 'session.update', session }))
  let next = Math.floor(input.at * goldenRatio * input.pieces.length) % input.pieces.length
  let sentMs = 0
  /** When the audio up to each piece was sent. */
  const sentAt: number[] = []
  socket.on('message', (data: Buffer) => {
    if (!data.includes('speech_stopped')) return
    const { audio_end_ms: endMs } = JSON.parse(data.toString()) as { audio_end_ms: number }
    const sent = sentAt[Math.floor(endMs / pieceMs)]
    if (sent !== undefined) input.lags.push(performance.now() - sent)
  })
  // as: masking each frame anew would cost the load more than it costs the server
  const { _socket: wire } = socket as unknown as { _socket: Socket }
  return () => {
    wire.write(input.pieces[next]!)
    next = (next + 1) % input.pieces.length
    sentAt[sentMs / pieceMs] = performance.now()
    sentMs += pieceMs
  }
}

export function streamRow(name: string, { sessions, seconds, lags, ...of }: Streamed) {
  return {
    server: name,
    sessions,
    'turns a session and minute': ((lags.length / sessions / seconds) * 60).toFixed(1),
    'told late p50 ms': Math.round(percentile(lags, 0.5)),
    'told late p99 ms': Math.round(percentile(lags, 0.99)),
    'told late at most ms': Math.round(Math.max(...lags)),
    'event loop p99 ms': Math.round(of.loopP99Ms),
    'of the core %': Math.round(100 * of.coreShare),
    'sender late at most ms': Math.round(of.senderLateMs),
  }
}
