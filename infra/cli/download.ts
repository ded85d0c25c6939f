import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { scripts, wordStyles } from '../../actors/transcript/state.ts'
import { progressBoard } from '../telemetry/progress.ts'
import type { Progress } from '../telemetry/progress.ts'
import { chooser, textOption } from './choose.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { UsageError } from './command.ts'
import type { Command, GivenArguments } from './command.ts'

const formats = ['ndjson', 'json', 'text', 'srt', 'vtt'] as const

export const downloadCommand: Command = {
  name: 'download',
  summary: 'Fetch all results of a batch, in any format.',
  examples: `  vaak download --format srt --script latin --output all.zip BATCH_ID
`,
  help: `Usage: vaak download BATCH_ID [options]
       vaak download --file FILE_ID [options]

Writes to standard output, or to a file that appears when it is whole.
${aboutServer}
  --file ID                            one file instead of a batch
  --format ndjson|json|text|srt|vtt    default ndjson (of a file: json); subtitles
                                       of several files come as a ZIP
  --script native|latin|mixed          default: as it was submitted
  --numerals                           numbers, money, times and percentages as
                                       figures
  --style verbatim|clean               clean leaves out um, उम्म and what was
                                       begun twice
  --no-tags                            without [laughing] and the like
  --speakers                           names the voices in text, srt and vtt
  --receipt                            with what each file was transcribed from and with,
                                       signed, for "vaak verify"; json and ndjson only
  --output FILE                        where to
`,
  options: {
    file: { type: 'string' },
    format: { type: 'string' },
    script: { type: 'string' },
    numerals: { type: 'boolean' },
    style: { type: 'string' },
    'no-tags': { type: 'boolean' },
    speakers: { type: 'boolean' },
    receipt: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
  },
  operands: true,
  async run({ config, options, operands }) {
    const fileId = textOption(options, 'file')
    const [batchId] = operands
    if ((fileId === undefined) === (batchId === undefined) || operands.length > 1)
      throw new UsageError('Which batch or file? Try: vaak download BATCH_ID, or: vaak download --file FILE_ID')
    const client = connectToServer(config)
    const query = queryOf(options)
    const response =
      fileId === undefined
        ? await client.open('downloadBatch', { params: { batch_id: batchId ?? '' }, query })
        : await client.open('getFileResult', { params: { file_id: fileId }, query })
    await save(response, textOption(options, 'output'))
  },
}

function queryOf(options: GivenArguments['options']) {
  const choose = chooser(options)
  const format = choose('format', formats, undefined)
  const script = choose('script', scripts, undefined)
  const style = choose('style', wordStyles, undefined)
  return {
    ...(format && { format }),
    ...(script && { script }),
    ...(style && { style }),
    ...(options['numerals'] === true && { numerals: 'true' as const }),
    ...(options['no-tags'] === true && { tags: false }),
    ...(options['speakers'] === true && { speakers: true }),
    ...(options['receipt'] === true && { receipt: true }),
  }
}

async function save(response: Response, path: string | undefined): Promise<void> {
  if (!response.body) return
  const body = Readable.fromWeb(response.body)
  if (path === undefined) {
    if (process.stdout.isTTY && response.headers.get('content-type') === 'application/zip')
      throw new UsageError('This is a ZIP, which no terminal shows. Say where it goes: --output FILE')
    return pipeline(body, process.stdout, { end: false })
  }
  const partial = `${path}.part`
  const bar = progressBoard(process.stderr).start(path)
  try {
    await pipeline(body, counted(bar, Number(response.headers.get('content-length') ?? 0)), createWriteStream(partial))
    await rename(partial, path)
    bar.done()
  } catch (error) {
    bar.fail()
    await rm(partial, { force: true })
    throw error
  }
}

/** Where the server says how much there is. */
function counted(bar: Progress, totalBytes: number): Transform {
  let sizeBytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      if (totalBytes > 0) bar.update(sizeBytes / totalBytes)
      done(null, chunk)
    },
  })
}
