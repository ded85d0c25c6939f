import { printable } from '../telemetry/printable.ts'
import { progressBoard } from '../telemetry/progress.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { sendFiles } from './client/send-files.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const uploadCommand: Command = {
  name: 'upload',
  summary: 'Upload recordings to a server.',
  help: `Usage: vaak upload FILE… [--json]

Uploads recordings and waits until they are stored. Prints the id of the upload,
then a line for each file with its id; what was refused is said on standard error.
${aboutServer}
  --json   print what the server says instead

  vaak upload call.mp3 talk.m4a
`,
  options: { json: { type: 'boolean' } },
  operands: true,
  async run({ config, options, operands }) {
    if (operands.length === 0) throw new UsageError('Which files? Try: vaak upload FILE…')
    const { accepted, stored } = await sendFiles(connectToServer(config), operands, progressBoard(process.stderr))
    const rejected = accepted.rejected_files ?? []
    if (options['json'] === true) process.stdout.write(`${JSON.stringify({ ...stored, rejected_files: rejected })}\n`)
    else {
      process.stdout.write(`${stored.batch_upload_id}\n`)
      for (const { file_id: id, filename, upload_status: status } of stored.files)
        process.stdout.write(`${id} ${status} ${printable(filename)}\n`)
    }
    for (const { filename, reason } of rejected) process.stderr.write(`${printable(filename)}: ${reason}\n`)
    if (rejected.length > 0 || stored.status !== 'completed') process.exitCode = 1
  },
}
