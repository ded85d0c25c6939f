import { createHash } from 'node:crypto'

import { isOwner } from '../../actors/ids.ts'
import type { Owner } from '../../actors/ids.ts'

/** Who is calling: the only thing of a token that handlers see. */
export interface Principal {
  readonly owner: Owner
  /** As the issuer wrote it, which may be anything. It belongs in no key, log or header: `owner` stands for it there. */
  readonly subject: string
}

const ownerLength = 22

/** Both texts are well-formed Unicode and the issuer holds no NUL, so two users never share an owner. */
export function principalOf(issuer: string, subject: string): Principal {
  const owner = createHash('sha256').update(`${issuer}\0${subject}`, 'utf8').digest('base64url').slice(0, ownerLength)
  if (!isOwner(owner)) throw new Error('the hash of a user is not an owner')
  const principal = { owner, subject }
  // I14: what is not enumerable is left behind by a spread, by JSON and by a logger
  Object.defineProperty(principal, 'subject', { enumerable: false })
  return Object.freeze(principal)
}
