import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'

import { eitherScriptRule, normalisationRule } from '../../actors/transcript/state.ts'
import type { Quality } from '../../actors/transcript/state.ts'
import { printable } from '../telemetry/printable.ts'
import { textOption } from './choose.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { UsageError } from './command.ts'
import type { Command, GivenArguments } from './command.ts'

export const evaluateCommand: Command = {
  name: 'evaluate',
  summary: 'Measure how well a recording was heard.',
  examples: `  vaak transcribe talk.mp3 | vaak evaluate --reference talk.txt
`,
  help: `Usage: vaak evaluate --reference FILE [HYPOTHESIS] [--json]
       vaak evaluate --reference FILE --file FILE_ID [--json]

Compares what was said (--reference, a text file) with what was heard: a text file,
standard input, or with --file the transcript of a file on the server.
Prints word and character error rates, as they are and in either script.
${normalisationRule}
${eitherScriptRule}
${aboutServer}`,
  options: { reference: { type: 'string' }, file: { type: 'string' }, json: { type: 'boolean' } },
  operands: true,
  async run(given) {
    const { options, operands } = given
    const reference = textOption(options, 'reference')
    if (reference === undefined || operands.length > 1)
      throw new UsageError('What was said? Try: vaak evaluate --reference FILE HYPOTHESIS')
    const quality = await qualityFor(given, await readText(reference))
    process.stdout.write(options['json'] === true ? `${JSON.stringify(quality)}\n` : readable(quality))
  },
}

async function qualityFor({ config, options, operands }: GivenArguments, said: string): Promise<Quality> {
  const fileId = textOption(options, 'file')
  if (fileId !== undefined)
    return connectToServer(config).call('evaluate', { body: { reference: said, file_id: fileId } })
  const [hypothesis] = operands
  const heard = hypothesis === undefined || hypothesis === '-' ? await text(process.stdin) : await readText(hypothesis)
  const { qualityOf } = await import('../speech/evaluate/quality.ts')
  return qualityOf({ said, heard })
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new UsageError(`${printable(path)} cannot be read (${code}).`)
  }
}

function readable({ words, characters, either_script: either, ...plain }: Quality): string {
  const percent = (rate: number): string => `${(rate * 100).toFixed(1).padStart(6)} %`
  return [
    `                   WER       CER      (${words} words, ${characters} characters were said)`,
    `as written     ${percent(plain.word_error_rate)}  ${percent(plain.character_error_rate)}`,
    `either script  ${percent(either.word_error_rate)}  ${percent(either.character_error_rate)}`,
    '',
  ].join('\n')
}
