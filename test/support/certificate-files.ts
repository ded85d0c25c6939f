import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import type { Certificate } from './certificate.ts'
import { aFolder } from './folder.ts'

/** For a server that reads them by their paths; gone when the test ends. */
export async function certificateFiles(t: ExecutionContext, { cert, key }: Certificate) {
  const folder = await aFolder(t)
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(certPath, cert), writeFile(keyPath, key)])
  return { certPath, keyPath }
}
