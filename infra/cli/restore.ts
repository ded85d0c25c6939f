import type { NatsConnection } from 'nats'

import type { Config } from '../config/config.ts'
import type { RestorePlan } from '../nats/backup/restore.ts'
import { progressOn } from '../telemetry/progress.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Put back what "vaak backup" saved, or list what storage has.',
  help: `Usage: vaak restore FOLDER [--without-storage] [--replace] [--dry-run]
       vaak restore --from-storage

Puts every stream and record of a backup back into the broker. All of FOLDER is compared with its checksums before
anything is changed. Stop gateways, workers and realtime servers before, and start them afterwards: what they remember
is newer than the backup. Work that was open goes on, and so do uploads that wait in the spool of this DATA_DIR.
Then uploaded files are listed again that storage has and the backup does not know: they came since, and may refer to
the same bytes as one that is in it, which would go when that one is deleted.

  --from-storage     without a backup: list all uploaded files again that storage has and the broker does not know. What
                     is known stays as it is; batches do not come back by this
  --without-storage  leave storage for later: run "vaak restore --from-storage" before anything starts
  --replace          also where the broker has streams of Vaak: they are deleted first, with all that is in them
  --dry-run          check the backup and say what would be done

Needs NATS_URL, or the DATA_DIR of a "vaak up" that is stopped; its store may be gone; and STORAGE_URL, unless storage is
left for later. --from-storage lists while the service runs.
`,
  options: {
    'from-storage': { type: 'boolean' },
    'without-storage': { type: 'boolean' },
    replace: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  operands: true,
  async run(given) {
    const { config, options, operands } = given
    const [folder] = operands
    const fromStorage = options['from-storage'] === true
    const withStorage = options['without-storage'] !== true
    const isDryRun = options['dry-run'] === true
    if (operands.length > 1 || (folder === undefined && (!fromStorage || isDryRun)))
      throw new UsageError('Which backup? Try: vaak restore FOLDER, or: vaak restore --from-storage')
    if (fromStorage && !withStorage) throw new UsageError('--from-storage and --without-storage exclude each other.')
    const { withBroker } = await import('./broker.ts')
    const alone = folder !== undefined
    await withBroker(given, { name: 'restore', mayBeNew: true, alone }, async (connection, log) => {
      const mayReplace = options['replace'] === true
      if (folder !== undefined) await restoreFrom(connection, { folder, config, mayReplace, isDryRun, withStorage })
      if (isDryRun || !withStorage) return
      const { restoreFromStorage } = await import('./restore-from-storage.ts')
      try {
        await restoreFromStorage(connection, config, log)
      } catch (error) {
        if (folder !== undefined) process.stderr.write(storageIsLeft)
        throw error
      }
    })
  },
}

/** Who deletes a file then may delete what another refers to that came after the backup. */
const storageIsLeft =
  'The records of the backup are back, and storage could not be looked at.\n' +
  'Before anything is started, run: vaak restore --from-storage\n'

interface RestoreInput {
  readonly folder: string
  readonly config: Config
  readonly mayReplace: boolean
  readonly isDryRun: boolean
  /** What storage has is listed next, with what waits in spools. */
  readonly withStorage: boolean
}

async function restoreFrom(connection: NatsConnection, input: RestoreInput): Promise<void> {
  const { planRestore, restoreBackup } = await import('../nats/backup/restore.ts')
  const { openBackedUp } = await import('../nats/records/backed-up.ts')
  const { reopenBatches } = await import('../../actors/batch/reopen.ts')
  const { restoreSpool } = await import('./restore-spool.ts')
  const { config, mayReplace, isDryRun } = input
  const { manager, openRestored } = await openBackedUp(connection)
  const plan = await planRestore(manager, input.folder)
  if (isDryRun) return void process.stdout.write(`${wouldDo(plan)}\n`)
  if (plan.inTheWay.length > 0 && !mayReplace)
    throw new UsageError(`The broker has streams of Vaak already, and nothing was changed.\n${wouldDo(plan)}`)
  const startProgress = progressOn(process.stderr)
  await restoreBackup(plan, { connection, manager, replicas: config.natsReplicas, startProgress })
  const restored = await openRestored()
  const reopened = await reopenBatches(restored)
  const { parts, takenAt } = plan.manifest
  process.stdout.write(`Restored ${parts.length} streams as they were at ${takenAt}.\n`)
  if (reopened > 0) process.stdout.write(`${reopened} batches that were accepted meanwhile go on.\n`)
  if (!input.withStorage) await restoreSpool(config, restored.leases)
}

function wouldDo({ manifest, inTheWay }: RestorePlan): string {
  const messages = manifest.parts.reduce((sum, { state }) => sum + state.messages, 0)
  const restored = `${manifest.parts.length} streams with ${messages} messages and records of ${manifest.takenAt}`
  if (inTheWay.length === 0) return `vaak restore would put back ${restored}; nothing is in their way.`
  const lost = inTheWay.reduce((sum, one) => sum + one.messages, 0)
  const names = inTheWay.map(({ stream }) => stream).join(', ')
  return (
    `vaak restore --replace would delete ${inTheWay.length} streams with ${lost} messages and records (${names}), ` +
    `and then put back ${restored}.`
  )
}
