import type { ExecutionContext } from 'ava'

import type { Places } from '../../realtime/connect/places.ts'
import { aCertificate } from './certificate.ts'
import { certificateFiles } from './certificate-files.ts'
import { aPassingGateway } from './passing-gateway.ts'
import { aListener, aModel, someVoices } from './realtime-fakes.ts'
import type { FakeListener, FakeModel } from './realtime-fakes.ts'
import { aRealtimeServer } from './realtime-server.ts'

/** The real server for a library to connect to, with fakes that a test can script. */
export interface ServerForClients {
  readonly port: number
  /** Who vouches for the certificate, where there is one. */
  readonly ca: string
  readonly apiKey: string
  readonly model: FakeModel
  readonly listener: FakeListener
  readonly places: Places
}

interface ClientServerOptions {
  readonly tls?: boolean
  /** Whether clients reach it through a gateway; their certificate is the same. */
  readonly throughGateway?: boolean
}

export async function aServerForClients(
  t: ExecutionContext,
  { tls = false, throughGateway = false }: ClientServerOptions = {},
): Promise<ServerForClients> {
  const certificate = aCertificate('localhost')
  const model = aModel()
  const listener = aListener()
  const realtime = await aRealtimeServer(t, {
    server: { tls: tls ? await certificateFiles(t, certificate) : undefined },
    limits: { aheadMs: 300, deltaMs: 100 },
    speech: { answers: model, listener, voices: someVoices() },
  })
  const { port } = throughGateway ? await aPassingGateway(t, realtime, tls ? { certificate } : {}) : realtime.server
  return { port, ca: certificate.cert, apiKey: 'good', model, listener, places: realtime.places }
}
