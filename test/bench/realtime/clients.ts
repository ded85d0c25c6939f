import { once } from 'node:events'

import { WebSocket } from 'ws'

import type { BenchServer } from './server.ts'

const openAtOnce = 100

/** Sockets that are open and have been greeted. */
export async function connectMany(server: BenchServer, count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  while (sockets.length < count) {
    const wave = Array.from({ length: Math.min(openAtOnce, count - sockets.length) }, (_, at) =>
      connectClient(server, sockets.length + at),
    )
    sockets.push(...(await Promise.all(wave)))
  }
  return sockets
}

export async function connectClient(server: BenchServer, session = 0): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url}/v1/realtime?model=vaak-realtime`, {
    headers: await server.headersOf(session),
    perMessageDeflate: false,
  })
  await once(socket, 'message')
  return socket
}

export function closeAll(sockets: readonly WebSocket[]): void {
  for (const socket of sockets) socket.terminate()
}
