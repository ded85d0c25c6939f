import type { StoredAuditEvent } from '../nats/audit/form.ts'
import { printable } from '../telemetry/printable.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { withRunningBroker } from './with-broker.ts'

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Show who did what, to which object, from where, and how it ended.',
  help: `Usage: vaak audit [--user NAME] [--since WHEN] [--json]

Prints the audit log, the oldest first: what changes something or gives away a recording or a secret, realtime sessions
that were opened, and callers that were refused. It names ids, never content. Users are shown as hashes, as everywhere in
the broker: --user finds one by the name in the token (sub). It is kept for AUDIT_DAYS. Needs the NATS that the service
uses: NATS_URL, or a "vaak up" that runs on this DATA_DIR.

  --user NAME    only what this user did
  --since WHEN   only what came after: 2026-11-16T10:00:00Z, or 30m, 12h, 7d ago
  --json         one JSON object a line
`,
  options: { user: { type: 'string' }, since: { type: 'string' }, json: { type: 'boolean' } },
  async run({ config, options }) {
    const { user, since } = options
    const start = typeof since === 'string' ? readSince(since) : undefined
    const { issuerName } = await import('../identity/open-identity.ts')
    const { principalOf } = await import('../identity/principal.ts')
    const { auditEvents } = await import('../nats/audit/read.ts')
    await withRunningBroker(config, 'audit', async (client, log) => {
      const owner =
        typeof user === 'string' ? principalOf(await issuerName(config, log), user.normalize('NFC')).owner : undefined
      for await (const { at, ...event } of auditEvents(client, { owner, since: start })) {
        const line = options['json'] === true ? JSON.stringify({ at: at.toISOString(), ...event }) : inWords(at, event)
        process.stdout.write(`${printable(line)}\n`)
      }
    })
  },
}

function inWords(at: Date, event: StoredAuditEvent): string {
  const { who, keyId, linkId, what, objects, from, status } = event
  const by = [who, keyId && `by key ${keyId}`, linkId && `by share link ${linkId}`].filter(Boolean).join(' ')
  return [at.toISOString(), status, what, by, from === '' ? '-' : from, objects.join(',') || '-'].join('  ')
}

function readSince(given: string): Date {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(given) ?? []
  const at = count === undefined ? new Date(given) : new Date(Date.now() - Number(count) * unitMs[unit!]!)
  if (Number.isNaN(at.getTime()))
    throw new UsageError('--since takes a time such as 2026-11-16T10:00:00Z, or 30m, 12h or 7d.')
  return at
}
