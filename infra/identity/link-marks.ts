import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

import type { LinkMarks } from '../../actors/share-link/ports.ts'
import type { KeySecret } from './key-seal.ts'

const linkIdBytes = 8
/** 256 random bits: no slow hash is needed to keep them from being guessed. */
const secretBytes = 32
const markKeyBytes = 32

/**
 * One mark over a link and its secret: it keeps the secret out of storage, and who merely writes to storage from making links,
 * or from making theirs last longer. Where there is no key secret, whoever writes to storage is trusted.
 */
export function openLinkMarks(secret: KeySecret | undefined): LinkMarks {
  const key = Buffer.from(hkdfSync('sha256', secret?.text ?? '', '', 'vaak share links', markKeyBytes))
  const mac = (content: string): Buffer => createHmac('sha256', key).update(content).digest()
  return {
    newLinkId: () => randomBytes(linkIdBytes).toString('hex'),
    newSecret: () => randomBytes(secretBytes),
    markOf: (content) => mac(content).toString('base64url'),
    isMark(content, mark) {
      // what was put there by others may be of any kind
      const given = typeof mark === 'string' ? Buffer.from(mark, 'base64url') : Buffer.alloc(0)
      const expected = mac(content)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
