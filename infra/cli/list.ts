import type { ListedFile } from '../client/api.ts'
import { chooser, wholeNumber } from './choose.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

const limitMax = 200
const pageMax = 1_000_000

export const listCommand: Command = {
  name: 'list',
  summary: 'List the recordings that were uploaded.',
  examples: `  vaak list --status failed
`,
  help: `Usage: vaak list [options]

Prints a page of your recordings, each in a line: id, state, seconds, name.
${aboutServer}
  --status pending|uploading|completed|failed
  --limit N   most recordings a page; default 50
  --page N    the first is 1
  --json      print what the server says
`,
  options: {
    status: { type: 'string' },
    limit: { type: 'string' },
    page: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ config, options, operands }) {
    if (operands.length > 0) throw new UsageError('One recording? Try: vaak results FILE_ID')
    const status = chooser(options)('status', ['pending', 'uploading', 'completed', 'failed'], undefined)
    const [limit, page] = [wholeNumber(options, 'limit', limitMax), wholeNumber(options, 'page', pageMax)]
    const list = await connectToServer(config).call('listFiles', {
      query: { ...(status && { upload_status: status }), ...(limit && { limit }), ...(page && { page }) },
    })
    if (options['json'] === true) return void process.stdout.write(`${JSON.stringify(list)}\n`)
    process.stdout.write(list.files.map(line).join(''))
    const shown = list.page
    if (shown < list.total_pages) process.stderr.write(`There are more: --page ${shown + 1} of ${list.total_pages}\n`)
  },
}

function line({
  file_id: id,
  upload_status: status,
  estimated_duration_seconds: seconds,
  filename,
  error,
}: ListedFile): string {
  const reason = error === undefined ? '' : `: ${error}`
  return `${id} ${status} ${seconds.toFixed(1)}s ${filename}${reason}\n`
}
