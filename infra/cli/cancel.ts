import { aboutServer, connectToServer } from './client/connect.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const cancelCommand: Command = {
  name: 'cancel',
  summary: 'End what of a batch is not done.',
  examples: `  vaak cancel BATCH_ID
  vaak cancel BATCH_ID FILE_ID
`,
  help: `Usage: vaak cancel BATCH_ID [FILE_ID…]

Ends what of a batch is not transcribed, or of these files of it. Recordings and
what is transcribed stay; vaak batch --retry BATCH_ID goes on with the rest.
${aboutServer}
`,
  options: {},
  operands: true,
  async run({ config, operands }) {
    const [batch, ...files] = operands
    if (batch === undefined) throw new UsageError('Which batch? Try: vaak cancel BATCH_ID')
    const server = connectToServer(config)
    const params = { batch_id: batch }
    const { files_cancelled: count } =
      files.length > 0
        ? await server.call('cancelFiles', { params, body: { file_ids: files } })
        : await server.call('cancelBatch', { params })
    process.stdout.write(`${count} recording${count === 1 ? '' : 's'} cancelled.\n`)
  },
}
