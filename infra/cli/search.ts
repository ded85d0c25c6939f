import type { SearchPage } from '../client/api.ts'
import type { Config } from '../config/config.ts'
import { printable } from '../telemetry/printable.ts'
import { wholeNumber } from './choose.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { timeText } from '../speech/transcript/time-text.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { withRunningBroker } from './with-broker.ts'

const limitMax = 200
const pageMax = 1_000_000

export const searchCommand: Command = {
  name: 'search',
  summary: 'Find what was said in your recordings.',
  examples: `  vaak search ladka             finds लड़का as well
  vaak search "office ka kaam" --limit 5
`,
  help: `Usage: vaak search WORDS… [options]
       vaak search --rebuild

Prints each place where all the words are said, the best first: the id of the
file, the time, its name, and the words around. Any script finds any script, and
spelling is forgiven.
${aboutServer}
  --limit N   most places a page; default 50
  --page N    the first is 1
  --json      print what the server says
  --rebuild   for operators: make what is searched of all transcripts that have
              nothing to be searched by, such as those of an older version, and
              clear away what is left of deleted ones
`,
  options: {
    limit: { type: 'string' },
    page: { type: 'string' },
    json: { type: 'boolean' },
    rebuild: { type: 'boolean' },
  },
  operands: true,
  async run({ config, options, operands }) {
    if (options['rebuild'] === true) return rebuild(config)
    if (operands.length === 0) throw new UsageError('Which words? Try: vaak search WORDS…')
    const [limit, page] = [wholeNumber(options, 'limit', limitMax), wholeNumber(options, 'page', pageMax)]
    const found = await connectToServer(config).call('search', {
      query: { q: operands.join(' '), ...(limit && { limit }), ...(page && { page }) },
    })
    if (options['json'] === true) return void process.stdout.write(`${JSON.stringify(found)}\n`)
    process.stdout.write(found.results.map(line).join(''))
    process.stderr.write(summary(found))
    if (found.total === 0) process.exitCode = 1
  },
}

function line({ file_id: id, filename, start, snippet }: SearchPage['results'][number]): string {
  return `${id} ${timeText(start)} ${printable(filename)}: ${printable(snippet)}\n`
}

function summary({ total, page, total_pages: pages }: SearchPage): string {
  if (total === 0) return 'Nothing was found.\n'
  return page < pages ? `There are more: --page ${page + 1} of ${pages}\n` : ''
}

async function rebuild(config: Config): Promise<void> {
  const { clearPassages, rebuildPassages } = await import('../../actors/run/rebuild-passages.ts')
  const { openStorage } = await import('../config/open-storage.ts')
  const { openKnownStores } = await import('../nats/records/known-stores.ts')
  const { openStores } = await import('../nats/records/stores.ts')
  await withRunningBroker(config, 'search', async (client, log) => {
    const blobs = await openStorage(config, { log, knownAt: await openKnownStores(client) })
    try {
      const { runs } = await openStores(client)
      const made = await rebuildPassages({ runs, blobs }, (looked) => {
        process.stderr.write(`${looked} transcriptions were looked at …\n`)
      })
      const cleared = await clearPassages({ runs, blobs })
      process.stdout.write(`${made} transcripts can be searched now that could not be before.\n`)
      if (cleared > 0) process.stdout.write(`${cleared} that were deleted have left nothing to be searched.\n`)
    } finally {
      await blobs.close()
    }
  })
}
