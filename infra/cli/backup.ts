import { systemClock } from '../timing/clock.ts'
import { progressOn } from '../telemetry/progress.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Save what the broker holds to a folder.',
  help: `Usage: vaak backup FOLDER

Writes every stream and record of the broker, with what waits in its queues, to FOLDER, which appears when it is whole
and must not be there before. The service may run meanwhile. "vaak restore FOLDER" puts it back.

What users uploaded and transcripts are not in it: they are in STORAGE_URL. Copy that afterwards, by its own means.
FOLDER holds file names, hashes of API keys and signing secrets: keep it as you keep those.

Needs the NATS that the service uses: NATS_URL, or a DATA_DIR on which "vaak up" runs or has run.
`,
  options: {},
  operands: true,
  async run(given) {
    const [folder] = given.operands
    if (folder === undefined || given.operands.length > 1)
      throw new UsageError('Where to? Try: vaak backup /backups/vaak-2026-11-16')
    const { withBroker } = await import('./broker.ts')
    const { backUp } = await import('../nats/backup/back-up.ts')
    const { plannedTopology } = await import('../nats/topology/planned.ts')
    const { versionOfVaak } = await import('./version.ts')
    const version = await versionOfVaak()
    await withBroker(given, { name: 'backup' }, async (connection) => {
      const { parts } = await backUp({
        connection,
        plan: plannedTopology(given.config),
        folder,
        version,
        takenAtMs: systemClock.nowMs(),
        startProgress: progressOn(process.stderr),
      })
      const messages = parts.reduce((sum, { state }) => sum + state.messages, 0)
      const bytes = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      process.stdout.write(`${folder}: ${parts.length} streams, ${messages} messages and records, ${bytes} bytes.\n`)
    })
  },
}
