import type { ListedBatch } from '../client/api.ts'
import { chooser, textOption, wholeNumber } from './choose.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

const limitMax = 200

export const batchesCommand: Command = {
  name: 'batches',
  summary: 'List the batches that were submitted.',
  examples: `  vaak batches --status processing
  vaak batches --from 2026-11-01 --json
`,
  help: `Usage: vaak batches [options]

Prints a page of your batches, newest first, each in a line, and how to go on.
${aboutServer}
  --status queued|processing|completed|partial|failed
  --from DATE, --to DATE   submitted then or later, and before that: 2026-11-16,
                           or 2026-11-16T12:00:00Z
  --limit N                most batches a page; default 50
  --cursor CURSOR          goes on behind an earlier page
  --json                   print what the server says
`,
  options: {
    status: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ config, options, operands }) {
    if (operands.length > 0) throw new UsageError('One batch? Try: vaak status BATCH_ID')
    const status = chooser(options)('status', ['queued', 'processing', 'completed', 'partial', 'failed'], undefined)
    const limit = wholeNumber(options, 'limit', limitMax)
    const [from, to, cursor] = ['from', 'to', 'cursor'].map((name) => textOption(options, name))
    const list = await connectToServer(config).call('listBatches', {
      query: {
        ...(status && { status }),
        ...(limit && { limit }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(cursor !== undefined && { cursor }),
      },
    })
    if (options['json'] === true) return void process.stdout.write(`${JSON.stringify(list)}\n`)
    process.stdout.write(list.batches.map(line).join(''))
    if (list.next_cursor !== undefined) process.stderr.write(`There are more: --cursor ${list.next_cursor}\n`)
  },
}

function line(batch: ListedBatch): string {
  const { batch_id: id, created_at: at, status, files_completed: completed, total_files: total } = batch
  const named = batch.name === undefined ? '' : ` “${batch.name}”`
  return `${id} ${at} ${status}: ${completed} of ${total} done, ${batch.files_partial} with gaps, ${batch.files_failed} failed${named}\n`
}
