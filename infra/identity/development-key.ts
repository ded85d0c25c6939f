import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { JWK } from 'jose'

interface DevelopmentKey {
  readonly privateKey: KeyObject
  readonly publicJwk: JWK
}

const fileName = 'development-key.pem'
const curve = 'prime256v1'
const maxFileBytes = 4_096

/** The key in the folder; the first to ask creates it, and every process that ever asks gets that same one. */
export async function openDevelopmentKey(folder: string): Promise<DevelopmentKey> {
  const path = join(folder, fileName)
  const pem = (await read(path)) ?? (await create(folder, path))
  return parse(pem, path)
}

async function read(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, 'r')
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxFileBytes), 0, maxFileBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw new Error(`The development key ${path} cannot be read: ${String(error)}.`, { cause: error })
  }
}

async function create(folder: string, path: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await putInPlace(folder, path)
    await syncFolder(folder)
  } catch (error) {
    throw new Error(`The development key ${path} cannot be created: ${String(error)}. Make its folder writable.`, {
      cause: error,
    })
  }
  const pem = await read(path)
  if (pem === undefined) throw new Error(`The development key ${path} was removed while it was being created.`)
  return pem
}

/** Written aside and linked into place: a link never replaces, so of several creators the first wins, and whole. */
async function putInPlace(folder: string, path: string): Promise<void> {
  const aside = join(folder, `.${fileName}.${randomUUID()}`)
  try {
    await writeDurably(aside, newPem())
    await link(aside, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(aside, { force: true })
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
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

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
