import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

import type { Owner } from '../../actors/ids.ts'
import { keptForm } from '../session/kept.ts'
import type { KeptSession } from '../session/ports.ts'

/** Whose session it is, and what it is called. */
export interface SessionName {
  readonly owner: Owner
  readonly id: string
}

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** Far more than is ever sealed. */
const openedMaxBytes = 8 * 1024 * 1024
const idForm = /^sess_[0-9A-Za-z]{21}$/

const compress = promisify(deflateRaw)
const expand = promisify(inflateRaw)

/** Whether sessions are called so: anything else that a client sends is nobody's. */
export function isSessionId(text: string): boolean {
  return idForm.test(text)
}

/** Says nothing of the id, which opens what lies there. */
export function keptPlace({ owner, id }: SessionName): string {
  return `${owner}.${createHash('sha256').update(`place ${id}`).digest('base64url')}`
}

/** Readable by who knows the session's id and is its user; whoever has the broker or its disk knows no ids. */
export async function seal(kept: KeptSession, name: SessionName): Promise<Buffer> {
  const plain = await compress(Buffer.from(JSON.stringify(kept)))
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(name), nonce, { authTagLength: tagBytes })
  const sealed = [cipher.update(plain), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
}

/** Nothing when it was sealed under another name, was changed since, or is of another version. */
export async function unseal(sealed: Buffer, name: SessionName): Promise<KeptSession | undefined> {
  const nonce = sealed.subarray(0, nonceBytes)
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  try {
    const decipher = createDecipheriv(algorithm, keyOf(name), nonce, { authTagLength: tagBytes })
    decipher.setAuthTag(tag)
    const plain = Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
    const text = await expand(plain, { maxOutputLength: openedMaxBytes })
    const kept = JSON.parse(text.toString('utf8')) as KeptSession // as: it was sealed by a server of ours
    return kept.form === keptForm ? kept : undefined
  } catch {
    return undefined
  }
}

function keyOf({ owner, id }: SessionName): Buffer {
  return Buffer.from(hkdfSync('sha256', id, owner, 'vaak session', keyBytes))
}
