import { progressBoard } from '../telemetry/progress.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { followBatch } from './client/follow.ts'
import { exitAs, transcriptSummary } from './client/summary.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const statusCommand: Command = {
  name: 'status',
  summary: 'See how far a batch is.',
  examples: `  vaak status BATCH_ID --watch
`,
  help: `Usage: vaak status BATCH_ID [--watch] [--json]

Prints how many files of a batch are done, and how long the rest will take.
${aboutServer}
  --watch   wait for the end, with progress bars; goes on where it was when the
            connection breaks
  --json    print what the server says

Exit code: 1 when the batch has ended and not all of it was transcribed, else 0.
`,
  options: { watch: { type: 'boolean' }, json: { type: 'boolean' } },
  operands: true,
  async run({ config, options, operands }) {
    const [batchId, ...more] = operands
    if (batchId === undefined || more.length > 0) throw new UsageError('Which batch? Try: vaak status BATCH_ID')
    const client = connectToServer(config)
    const status =
      options['watch'] === true
        ? await followBatch(client, batchId, progressBoard(process.stderr))
        : await client.call('getBatchStatus', { params: { batch_id: batchId } })
    process.stdout.write(options['json'] === true ? `${JSON.stringify(status)}\n` : transcriptSummary(status))
    exitAs(status)
  },
}
