import type { VocabularyEntry } from '../client/api.ts'
import type { Client } from '../client/client.ts'
import { progressBoard } from '../telemetry/progress.ts'
import { printable } from '../telemetry/printable.ts'
import { textOption } from './choose.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { followBatch } from './client/follow.ts'
import { exitAs, transcriptSummary } from './client/summary.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { vocabularyNamed } from './vocabulary.ts'

/** What the first one is called that nobody named. */
const firstName = 'My words'

export const correctCommand: Command = {
  name: 'correct',
  summary: 'Correct a word once, and have what sounds like it transcribed again.',
  examples: `  vaak correct FILE_ID मेरा Meera --watch
  vaak correct FILE_ID "kurla dipo" "Kurla Depot" --vocabulary house
`,
  help: `Usage: vaak correct FILE_ID WRITTEN WORD [options]

Keeps WORD in a vocabulary of yours, with what it was taken for, and has those
parts of the recording transcribed again in which it may be said: where WRITTEN
stands, or something that sounds like WORD and was not sure. Of what is heard now
only WORD is taken; the rest of the transcript, and what you edited, stays. Prints
the id of the batch that does it, or nothing where nothing was in doubt. Of a file
that was redacted no parts are kept: submit it again with --vocabulary.
${aboutServer}
  --vocabulary NAME|ID  where the word is kept; without it in your only one, or in
                        "${firstName}", which is made for it
  --watch               wait for the end, with progress bars
  --json                print what the server says

Exit code: 1 with --watch when it could not be transcribed.
`,
  options: { vocabulary: { type: 'string' }, watch: { type: 'boolean' }, json: { type: 'boolean' } },
  operands: true,
  async run({ config, options, operands }) {
    const [fileId = '', written = '', word = '', ...others] = operands
    if (word === '' || others.length > 0)
      throw new UsageError('Which word of which file? Try: vaak correct FILE_ID WRITTEN WORD')
    const client = connectToServer(config)
    // who mistypes the file keeps no word
    await client.call('getFileStatus', { params: { file_id: fileId } })
    const vocabulary = await kept(client, textOption(options, 'vocabulary'), { text: word, spoken: [written] })
    // before the server is asked, which may have no parts to transcribe again
    process.stderr.write(`${printable(word)} is kept in the vocabulary ${JSON.stringify(vocabulary.name)}.\n`)
    const body = { vocabulary: vocabulary.id, words: [word] }
    const again = await client.call('transcribeAgain', { params: { file_id: fileId }, body })
    const { chunks, total_chunks: total, batch } = again
    const isNothing = chunks.length === 0
    process.stderr.write(
      isNothing
        ? 'Nothing here may be it: nothing is transcribed again.\n'
        : `${chunks.length} of ${total} parts are transcribed again.\n`,
    )
    if (options['json'] === true) process.stdout.write(`${JSON.stringify(again)}\n`)
    else if (batch) process.stdout.write(`${batch.batch_id}\n`)
    if (!batch || options['watch'] !== true) return
    const status = await followBatch(client, batch.batch_id, progressBoard(process.stderr))
    process.stderr.write(transcriptSummary(status))
    exitAs(status)
  },
}

/** Resolves with the vocabulary that has the word now. */
async function kept(
  client: Client,
  named: string | undefined,
  entry: VocabularyEntry,
): Promise<{ readonly id: string; readonly name: string }> {
  const { vocabularies } = await client.call('listVocabularies')
  const wanted = named === undefined ? undefined : await vocabularyNamed(client, named)
  if (wanted === undefined && vocabularies.length > 1)
    throw new UsageError('In which vocabulary? Say --vocabulary NAME; "vaak vocabulary list" shows yours.')
  const known = vocabularies.find(({ vocabulary_id: id }) => wanted === undefined || id === wanted)
  if (!known) {
    const made = await client.call('createVocabulary', { body: { name: firstName, entries: [entry] } })
    return { id: made.vocabulary_id, name: firstName }
  }
  const { vocabulary_id: id, name, version } = known
  await client.call('changeVocabulary', { params: { vocabulary_id: id }, body: { version, add: [entry] } })
  return { id, name }
}
