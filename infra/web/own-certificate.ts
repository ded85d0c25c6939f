import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'

import { generate } from 'selfsigned'

import type { Clock } from '../../actors/ports.ts'
import { isLoopback } from '../process/loopback.ts'

interface OwnCertificate {
  readonly certPath: string
  readonly keyPath: string
}

interface CertificateOptions {
  readonly folder: string
  /** Where the servers listen. */
  readonly host: string
  readonly clock: Clock
}

const dayMs = 86_400_000
/** Browsers refuse what is good for more than 398 days. */
const goodForMs = 365 * dayMs
const renewBeforeMs = 30 * dayMs
const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/**
 * A certificate that its own key signed, for this machine: the one in the folder, or a new one when there is none, when it
 * ends soon, or when it is not for the address that the servers listen on. It signs no others, so trusting it trusts this one.
 */
export async function ownCertificate(options: CertificateOptions): Promise<OwnCertificate> {
  const { folder, host, clock } = options
  const paths = { certPath: join(folder, 'cert.pem'), keyPath: join(folder, 'key.pem') }
  if (await isGood(paths, options)) return paths
  const nowMs = clock.nowMs()
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Vaak on this machine' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(nowMs - dayMs),
    notAfterDate: new Date(nowMs + goodForMs),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: namesOf(host) },
    ],
  })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await replace(paths.keyPath, key)
  await replace(paths.certPath, cert)
  return paths
}

async function isGood({ certPath, keyPath }: OwnCertificate, { host, clock }: CertificateOptions): Promise<boolean> {
  try {
    const [cert, key] = [new X509Certificate(await readFile(certPath)), createPrivateKey(await readFile(keyPath))]
    const isFor = everywhere.has(host) || (isIP(host) ? cert.checkIP(host) : cert.checkHost(host)) !== undefined
    return isFor && cert.checkPrivateKey(key) && Date.parse(cert.validTo) - clock.nowMs() > renewBeforeMs
  } catch {
    return false // it is missing, or nobody can read it
  }
}

function namesOf(host: string) {
  const given = everywhere.has(host) ? [] : [host]
  const reached = isLoopback(host) ? [] : Object.values(networkInterfaces()).flatMap((all = []) => all)
  const names = ['localhost', hostname(), '127.0.0.1', '::1', ...given, ...reached.map(({ address }) => address)]
  return [...new Set(names)].map((name) =>
    isIP(name) ? ({ type: 7, ip: name } as const) : ({ type: 2, value: name } as const),
  )
}

/** Whole or not at all: a start that is killed here leaves nothing that the next one trips over. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 })
  await rename(`${path}.new`, path)
}
