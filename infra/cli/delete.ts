import { aboutServer, connectToServer } from './client/connect.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const deleteCommand: Command = {
  name: 'delete',
  summary: 'Delete recordings, or a batch, with what was made of them.',
  examples: `  vaak delete FILE_ID
  vaak delete --batch BATCH_ID --files
`,
  help: `Usage: vaak delete FILE_ID…
       vaak delete --batch BATCH_ID [--files]

Deletes recordings with their transcripts in all batches, or a batch with its
results. It is all or nothing, and nothing deleted comes back.
${aboutServer}
  --batch ID   a batch; its recordings stay
  --files      with --batch: its recordings as well
`,
  options: { batch: { type: 'string' }, files: { type: 'boolean' } },
  operands: true,
  async run({ config, options, operands }) {
    const { batch, files } = options
    const isBatch = typeof batch === 'string'
    if (isBatch === operands.length > 0 || (!isBatch && files === true))
      throw new UsageError('What? Try: vaak delete FILE_ID…, or: vaak delete --batch BATCH_ID [--files]')
    const server = connectToServer(config)
    const deleted = isBatch
      ? await server.call('deleteBatch', { params: { batch_id: batch }, query: { files: files === true } })
      : await server.call('deleteFiles', { body: { file_ids: operands } })
    const count = deleted.deleted_file_ids.length
    process.stdout.write(`${isBatch ? `${batch} and ` : ''}${count} recording${count === 1 ? '' : 's'} deleted.\n`)
  },
}
