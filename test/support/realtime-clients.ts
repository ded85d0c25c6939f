import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import { aCertificate } from './certificate.ts'
import { aFolder } from './folder.ts'
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
}

export async function aServerForClients(t: ExecutionContext, { tls = false } = {}): Promise<ServerForClients> {
  const certificate = aCertificate('localhost')
  const model = aModel()
  const listener = aListener()
  const { server } = await aRealtimeServer(t, {
    server: { tls: tls ? await onDisk(t, certificate) : undefined },
    limits: { aheadMs: 300, deltaMs: 100 },
    speech: { answers: model, listener, voices: someVoices() },
  })
  return { port: server.port, ca: certificate.cert, apiKey: 'good', model, listener }
}

async function onDisk(t: ExecutionContext, { cert, key }: ReturnType<typeof aCertificate>) {
  const folder = await aFolder(t)
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(certPath, cert), writeFile(keyPath, key)])
  return { certPath, keyPath }
}
