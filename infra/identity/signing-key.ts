import { hkdfSync, randomBytes } from 'node:crypto'

import type { Records } from '../../actors/ports.ts'

/** A key that all nodes sign with, as it is kept when no setting gives one. */
export interface StoredSigningKey {
  readonly key: string
}

/** What is signed. Labels and names are for good: whoever changes one makes every signature before it worthless. */
const purposes = {
  sessions: { label: 'vaak session secrets', record: 'signing.sessions' },
  receipts: { label: 'vaak transcript receipts', record: 'signing.receipts' },
} as const

const keyBytes = 32

/** From the setting, or drawn once by whoever comes first and then shared by all nodes of the broker. */
export async function signingKeyOf(
  purpose: keyof typeof purposes,
  setting: string,
  records: Records<StoredSigningKey>,
): Promise<Buffer> {
  const { label, record } = purposes[purpose]
  if (setting !== '') return Buffer.from(hkdfSync('sha256', setting, '', label, keyBytes))
  const known = await records.read(record)
  if (known) return Buffer.from(known.value.key, 'base64url')
  await records.create(record, { key: randomBytes(keyBytes).toString('base64url') })
  const made = await records.read(record)
  if (!made) throw new Error(`the signing key of ${purpose} was removed while it was being made`)
  return Buffer.from(made.value.key, 'base64url')
}
