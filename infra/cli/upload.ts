import { printable } from '../telemetry/printable.ts'
import { progressBoard } from '../telemetry/progress.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { sendFiles } from './client/send-files.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { withStandardInput } from './standard-input.ts'

export const uploadCommand: Command = {
  name: 'upload',
  summary: 'Upload recordings to a server.',
  examples: `  vaak upload call.mp3 talk.m4a
`,
  help: `Usage: vaak upload FILE… [--no-deduplicate] [--json]

Uploads recordings and waits until they are stored. Prints the id of the upload,
then a line for each file with its id; what was refused is said on standard error.
"-" is standard input.

A recording of 16 MiB or more is an upload of its own, which goes on where it broke
off: by itself when the connection fails, and when the command is given again. What
is smaller goes together, and one after another in that way when its connection broke.
What you have on the server already is stored once; that is said on standard error.
${aboutServer}
  --no-deduplicate   store it again, also what is there already
  --json             print what the server says instead, a line for each upload
`,
  options: { 'no-deduplicate': { type: 'boolean' }, json: { type: 'boolean' } },
  operands: true,
  async run({ config, options, operands }) {
    if (operands.length === 0) throw new UsageError('Which files? Try: vaak upload FILE…')
    const client = connectToServer(config)
    const { uploads, rejected } = await withStandardInput(operands, (paths) =>
      sendFiles(client, {
        paths,
        board: progressBoard(process.stderr),
        isApart: options['no-deduplicate'] === true,
      }),
    )
    for (const [at, stored] of uploads.entries())
      if (options['json'] === true)
        process.stdout.write(`${JSON.stringify({ ...stored, rejected_files: at === 0 ? rejected : [] })}\n`)
      else {
        process.stdout.write(`${stored.batch_upload_id}\n`)
        for (const { file_id: id, filename, upload_status: status } of stored.files)
          process.stdout.write(`${id} ${status} ${printable(filename)}\n`)
      }
    if (uploads.some(({ status }) => status !== 'completed')) process.exitCode = 1
  },
}
