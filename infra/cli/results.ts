import { scripts, wordStyles } from '../../actors/transcript/state.ts'
import type { FileResult } from '../client/api.ts'
import { printable } from '../telemetry/printable.ts'
import { chooser, textOption, wholeNumber } from './choose.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { readableTurns } from './session-turns.ts'

const pageMax = 1_000_000
const limitMax = 200

export const resultsCommand: Command = {
  name: 'results',
  summary: 'Read what recordings say.',
  examples: `  vaak results BATCH_ID --script latin --numerals
`,
  help: `Usage: vaak results BATCH_ID [options]
       vaak results --file FILE_ID [options]

Prints a page of a batch, each file under its name, or one file. Who says what is
told by "vaak download --format text --speakers".
${aboutServer}
  --file ID                    one file, as its newest transcription has it
  --unredacted                 of one file: also what was taken out of it, where it was
                               submitted with --keep-unredacted; as it was transcribed
  --turns                      of one file that a voice session became: each turn as it
                               was known live, and what its recording says there
  --status completed|failed|processing|retrying
  --page N, --limit N          default 1 and 50
  --script native|latin|mixed  default: as it was submitted
  --numerals                   numbers, money, times and percentages as figures
  --style verbatim|clean       clean leaves out um, उम्म and what was begun twice
  --json                       print what the server says, with times
`,
  options: {
    file: { type: 'string' },
    unredacted: { type: 'boolean' },
    turns: { type: 'boolean' },
    status: { type: 'string' },
    page: { type: 'string' },
    limit: { type: 'string' },
    script: { type: 'string' },
    numerals: { type: 'boolean' },
    style: { type: 'string' },
    json: { type: 'boolean' },
  },
  operands: true,
  async run({ config, options, operands }) {
    const fileId = textOption(options, 'file')
    const [batchId] = operands
    if ((fileId === undefined) === (batchId === undefined) || operands.length > 1)
      throw new UsageError('Which batch or file? Try: vaak results BATCH_ID, or: vaak results --file FILE_ID')
    const choose = chooser(options)
    const script = choose('script', scripts, undefined)
    const style = choose('style', wordStyles, undefined)
    const writing = {
      ...(script && { script }),
      ...(style && { style }),
      ...(options['numerals'] === true && { numerals: 'true' as const }),
    }
    const isUnredacted = options['unredacted'] === true
    if (isUnredacted && (fileId === undefined || Object.keys(writing).length > 0))
      throw new UsageError(
        'What was taken out is read of one file, as it was transcribed. Try: vaak results --file FILE_ID --unredacted',
      )
    const isOfTurns = options['turns'] === true
    const isWrittenOtherwise = 'style' in writing || 'numerals' in writing
    if (isOfTurns && (fileId === undefined || isUnredacted || isWrittenOtherwise))
      throw new UsageError('Turns are those of one file. Try: vaak results --file FILE_ID --turns')
    const client = connectToServer(config)
    if (fileId !== undefined) {
      const params = { file_id: fileId }
      if (isOfTurns) {
        const session = await client.call('getSessionTurns', { params, query: script ? { script } : {} })
        return void process.stdout.write(
          options['json'] === true ? `${JSON.stringify(session)}\n` : readableTurns(session),
        )
      }
      if (isUnredacted) {
        const whole = await client.call('getUnredactedResult', { params })
        return print(options['json'] === true ? whole : [{ ...whole, status: 'unredacted' }])
      }
      const file = await client.call('getFileResult', { params, query: writing })
      return print(options['json'] === true ? file : [file])
    }
    const status = choose('status', ['completed', 'failed', 'processing', 'retrying'], undefined)
    const page = wholeNumber(options, 'page', pageMax)
    const limit = wholeNumber(options, 'limit', limitMax)
    const found = await client.call('getBatchResults', {
      params: { batch_id: batchId ?? '' },
      query: { ...writing, ...(status && { status }), ...(page && { page }), ...(limit && { limit }) },
    })
    print(options['json'] === true || !('files' in found) ? found : found.files)
  },
}

function print(what: object): void {
  if (!Array.isArray(what)) return void process.stdout.write(`${JSON.stringify(what)}\n`)
  process.stdout.write(what.map(readable).join('\n'))
}

type Readable = Pick<FileResult, 'filename' | 'result' | 'errors'> & { readonly status: string }

function readable({ filename, status, result, errors }: Readable): string {
  const lines = result ? result.segments.map(({ text }) => printable(text)) : []
  const reasons = (errors ?? []).map(({ message }) => `(${printable(message)})`)
  return `==> ${printable(filename)}, ${status} <==\n${[...lines, ...reasons].map((line) => `${line}\n`).join('')}`
}
