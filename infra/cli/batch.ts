import { redactionKinds } from '../../actors/transcript/state.ts'
import type { BatchAccepted, BatchRequest } from '../client/api.ts'
import type { Client } from '../client/client.ts'
import { progressBoard } from '../telemetry/progress.ts'
import type { ProgressBoard } from '../telemetry/progress.ts'
import { requestOf } from './batch-request.ts'
import { chosenLanguages, partOption, textOption } from './choose.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { followBatch } from './client/follow.ts'
import { sendFiles } from './client/send-files.ts'
import { exitAs, transcriptSummary } from './client/summary.ts'
import { headersIn } from './header-file.ts'
import { UsageError } from './command.ts'
import type { Command, GivenArguments } from './command.ts'
import { withStandardInput } from './standard-input.ts'
import { vocabularyNamed } from './vocabulary.ts'

const anId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const aUrl = /^https?:\/\//i

export const batchCommand: Command = {
  name: 'batch',
  summary: 'Have recordings transcribed by a server.',
  examples: `  vaak batch *.mp3 --language hi --watch
  vaak batch https://example.org/call.wav --callback https://example.org/done
`,
  help: `Usage: vaak batch FILE|URL|FILE_ID… [options]
       vaak batch --upload UPLOAD_ID [options]
       vaak batch --retry BATCH_ID [--watch]

Submits recordings together and prints the id of the batch. Files of this machine
are uploaded first ("-" is standard input); URLs are fetched by the server; ids
name files that are there. What the server refuses is said on standard error.
${aboutServer}
  --upload ID                        all files of an upload
  --retry ID                         what failed in a batch, and nothing else
  --name NAME                        what the batch is called
  --language CODE                    ${chosenLanguages.join(', ')};
                                     default auto: found out
  --profile fast|balanced|accurate   default: as the server is set up
  --script native|latin|mixed        default mixed
  --channels mix|separate|auto       default mix; auto makes the two sides of a call
                                     two speakers, separate every channel one
  --speakers N                       how many people speak; default: found out
  --hotwords WORDS                   names and terms, separated by commas
  --vocabulary NAME|ID               words of yours: see "vaak vocabulary"
  --redact KINDS                     takes out of the words what nobody is to read:
                                     all, or some of ${redactionKinds.join(', ')}
  --keep-unredacted                  keeps what was taken out, for you alone
  --redact-audio                     gives out a copy of the audio with a tone there
  --start TIME, --end TIME           only this part of each file or URL: seconds, or
                                     as 1:30 or 1:02:03
  --summary, --chapters              have a chat model write about each transcript when
  --translation, --question TEXT     it is there, where the server has one: see "vaak ask"
  --callback URL                     is called when the batch has ended
  --callback-headers FILE            lines "Name: value" that the call is sent with
  --headers FILE                     lines "Name: value" that URLs are fetched with
  --metadata JSON                    an object of your own, which comes back with
                                     status, results and the call
  --no-deduplicate                   store and transcribe again what the server has already
  --watch                            wait for the end, with progress bars
  --json                             print what the server says

Exit code: 1 when a file was refused and, with --watch, when some are not transcribed.
`,
  options: {
    upload: { type: 'string' },
    retry: { type: 'string' },
    name: { type: 'string' },
    language: { type: 'string' },
    profile: { type: 'string' },
    script: { type: 'string' },
    channels: { type: 'string' },
    speakers: { type: 'string' },
    hotwords: { type: 'string' },
    vocabulary: { type: 'string' },
    redact: { type: 'string' },
    'keep-unredacted': { type: 'boolean' },
    'redact-audio': { type: 'boolean' },
    summary: { type: 'boolean' },
    chapters: { type: 'boolean' },
    translation: { type: 'boolean' },
    question: { type: 'string' },
    start: { type: 'string' },
    end: { type: 'string' },
    callback: { type: 'string' },
    'callback-headers': { type: 'string' },
    headers: { type: 'string' },
    metadata: { type: 'string' },
    'no-deduplicate': { type: 'boolean' },
    watch: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  operands: true,
  async run(given) {
    const { config, options } = given
    const client = connectToServer(config)
    const settings = await withVocabulary(client, options, await requestOf(options))
    const board = progressBoard(process.stderr)
    const accepted = await withStandardInput(given.operands, (operands) =>
      submit(client, { ...given, operands, settings, board }),
    )
    process.stdout.write(options['json'] === true ? `${JSON.stringify(accepted)}\n` : `${accepted.batch_id}\n`)
    if (options['watch'] !== true) return
    const status = await followBatch(client, accepted.batch_id, board)
    process.stderr.write(transcriptSummary(status))
    exitAs(status)
  },
}

async function withVocabulary(
  client: Client,
  options: GivenArguments['options'],
  settings: BatchRequest,
): Promise<BatchRequest> {
  const name = textOption(options, 'vocabulary')
  return name === undefined ? settings : { ...settings, vocabulary: await vocabularyNamed(client, name) }
}

async function submit(
  client: Client,
  input: GivenArguments & { readonly settings: BatchRequest; readonly board: ProgressBoard },
): Promise<BatchAccepted> {
  const { operands, options, settings, board } = input
  const retried = textOption(options, 'retry')
  const upload = textOption(options, 'upload')
  if (retried !== undefined) {
    if (operands.length > 0 || upload !== undefined) throw new UsageError('--retry takes a batch and nothing else.')
    return client.call('retryBatch', { params: { batch_id: retried } })
  }
  if (operands.length === 0 && upload === undefined) throw new UsageError('Which recordings? Try: vaak batch FILE…')
  const urls = operands.filter((operand) => aUrl.test(operand))
  const ids = operands.filter((operand) => anId.test(operand))
  const paths = operands.filter((operand) => !aUrl.test(operand) && !anId.test(operand))
  const headers = await headersIn(options, 'headers')
  if (headers && urls.length === 0) throw new UsageError('--headers is for URLs, and there is none.')
  const part = partOption(options)
  if (part && (ids.length > 0 || upload !== undefined))
    throw new UsageError('--start and --end are for URLs and for files of this machine.')
  const isApart = options['no-deduplicate'] === true
  const { uploads } = paths.length > 0 ? await sendFiles(client, { paths, board, isApart }) : { uploads: [] }
  const sent = uploads.flatMap(({ files }) => files)
  const stored = sent.filter(({ upload_status: status }) => status === 'completed')
  const fileIds = [...ids, ...(part ? [] : stored.map(({ file_id: id }) => id))]
  const sources = [
    ...urls.map((url) => ({ url, ...(headers && { headers }), ...part })),
    ...(part ? stored.flatMap(({ gcs_key: key }) => (key === undefined ? [] : [{ gcs_key: key, ...part }])) : []),
  ]
  return client.call('submitBatch', {
    body: {
      ...settings,
      ...(upload !== undefined && { batch_upload_id: upload }),
      ...(fileIds.length > 0 && { file_ids: fileIds }),
      ...(sources.length > 0 && { sources }),
    },
  })
}
