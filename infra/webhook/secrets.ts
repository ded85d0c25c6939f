import { createHmac, randomBytes } from 'node:crypto'

import type { Owner } from '../../actors/ids.ts'
import type { Records } from '../../actors/ports.ts'

/** Keys that calls are signed with: one for each user, all from one that only this service has. */
export interface WebhookSecrets {
  of(owner: Owner): Promise<Buffer>
}

/** Where the service keeps its own when none is configured, beside the records of calls. */
const key = 'master'
const secretBytes = 32

export interface MasterRecord {
  readonly secret: string
}

/** Without a configured one, the first process that needs it makes one, and all others find it. */
export function openWebhookSecrets(records: Records<MasterRecord>, configured: string): WebhookSecrets {
  let known: Promise<string> | undefined
  const master = (): Promise<string> => {
    known ??= (configured === '' ? shared(records) : Promise.resolve(configured)).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
  return {
    of: async (owner) =>
      createHmac('sha256', await master())
        .update(`webhook:${owner}`)
        .digest(),
  }
}

async function shared(records: Records<MasterRecord>): Promise<string> {
  const stored = await records.read(key)
  if (stored) return stored.value.secret
  const secret = randomBytes(secretBytes).toString('base64')
  if ((await records.create(key, { secret })) !== 'exists') return secret
  return (await records.read(key))?.value.secret ?? secret
}

/** As libraries of the Standard Webhooks format take it. */
export function secretText(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`
}
