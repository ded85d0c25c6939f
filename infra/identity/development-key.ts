import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'

import type { JWK } from 'jose'

import { lastingFile } from './lasting-file.ts'

interface DevelopmentKey {
  readonly privateKey: KeyObject
  readonly publicJwk: JWK
}

const fileName = 'development-key.pem'
const curve = 'prime256v1'

/** The key in the folder; the first to ask creates it, and every process that ever asks gets that same one. */
export async function openDevelopmentKey(folder: string): Promise<DevelopmentKey> {
  const pem = await lastingFile({ folder, name: fileName, what: 'The development key', make: newPem })
  return parse(pem, join(folder, fileName))
}

function newPem(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function parse(pem: string, path: string): DevelopmentKey {
  try {
    const privateKey = createPrivateKey(pem)
    const publicKey = createPublicKey(privateKey)
    if (privateKey.asymmetricKeyDetails?.namedCurve !== curve) throw new Error('it is a key of another kind')
    // the file holds both halves, and reading it does not prove that they belong together
    const probe = Buffer.from(path)
    if (!verify('sha256', probe, publicKey, sign('sha256', probe, privateKey))) throw new Error('its halves differ')
    return { privateKey, publicJwk: publicKey.export({ format: 'jwk' }) }
  } catch (error) {
    throw new Error(
      `The development key ${path} is damaged. Remove the file and start again: a new key is made, ` +
        'and development tokens given out before need to be asked for again.',
      { cause: error },
    )
  }
}
