import { createSocket } from 'node:dgram'
import type { RemoteInfo } from 'node:dgram'

import type { ExecutionContext } from 'ava'

interface LossyRelay {
  /** An answer (SDP) of a server behind it, as if the relay were the server. */
  rewrite(answer: string): string
  readonly counts: { passed: number; lost: number }
  /** What the server sent, lost or not. */
  readonly fromServer: readonly Buffer[]
}

const candidatePort = /(?<=^a=candidate:.* 127\.0\.0\.1 )\d+(?= typ host)/gm

/** Passes UDP packets on between one client and one server, both ways, and loses each n-th. */
export async function aLossyRelay(t: ExecutionContext, each: number): Promise<LossyRelay> {
  const socket = createSocket('udp4')
  t.teardown(() => socket.close())
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
  const counts = { passed: 0, lost: 0 }
  const fromServer: Buffer[] = []
  let serverPort = 0
  let clientPort = 0
  socket.on('message', (packet: Buffer, { port }: RemoteInfo) => {
    if (port === serverPort) fromServer.push(packet)
    else clientPort = port
    if ((counts.passed + counts.lost + 1) % each === 0) {
      counts.lost += 1
      return
    }
    counts.passed += 1
    socket.send(packet, port === serverPort ? clientPort : serverPort, '127.0.0.1')
  })
  return {
    counts,
    fromServer,
    rewrite(answer) {
      serverPort = Number(answer.match(candidatePort)?.[0])
      return answer.replaceAll(candidatePort, String(socket.address().port))
    },
  }
}
