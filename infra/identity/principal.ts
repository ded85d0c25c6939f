import { createHash } from 'node:crypto'

import type { Principal } from '../../actors/identity.ts'
import { isOwner } from '../../actors/ids.ts'

const ownerLength = 22

/** Both texts are well-formed Unicode and the issuer holds no NUL, so two users never share an owner. */
export function principalOf(issuer: string, subject: string): Principal {
  return principalWith(
    createHash('sha256').update(`${issuer}\0${subject}`, 'utf8').digest('base64url').slice(0, ownerLength),
    subject,
  )
}

export function principalWith(owner: string, subject: string): Principal {
  if (!isOwner(owner)) throw new Error('the hash of a user is not an owner')
  const principal = { owner, subject }
  // I14: what is not enumerable is left behind by a spread, by JSON and by a logger
  Object.defineProperty(principal, 'subject', { enumerable: false })
  return Object.freeze(principal)
}
