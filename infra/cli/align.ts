import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { profiles } from '../../actors/run/state.ts'
import { alignLimits } from '../../actors/transcript/state.ts'
import { printable } from '../telemetry/printable.ts'
import { progressBoard } from '../telemetry/progress.ts'
import { chooser } from './choose.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { formOf } from './client/form-stream.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

const bytesACharacter = 4
const textMaxBytes = alignLimits.characters * bytesACharacter

export const alignCommand: Command = {
  name: 'align',
  summary: 'Find out when the words of a text were said.',
  examples: `  vaak align talk.mp3 talk.txt --format srt > talk.srt
`,
  help: `Usage: vaak align RECORDING TEXT [options]

TEXT is a file with what is said in RECORDING, in any script. Prints when each word was said, or subtitles
whose cues are the lines of TEXT. Words that are not found get the time that their neighbours
leave, and are marked with a star. At most ${alignLimits.seconds} seconds and ${alignLimits.characters} characters.
${aboutServer}
  --format text|json|srt|vtt       default text: start, end, how clearly it was heard, word
  --profile fast|balanced|accurate default: as the server is set
`,
  options: { format: { type: 'string' }, profile: { type: 'string' } },
  operands: true,
  async run({ config, options, operands }) {
    const [recording, text] = operands
    if (recording === undefined || text === undefined || operands.length > 2)
      throw new UsageError('Which recording, and which text? Try: vaak align RECORDING TEXT')
    const choose = chooser(options)
    const format = choose('format', ['text', 'json', 'srt', 'vtt'], 'text')
    const profile = choose('profile', profiles, undefined)
    const client = connectToServer(config)
    await access(recording, constants.R_OK).catch(() => {
      throw new UsageError(`${printable(recording)}: there is no such file, or you may not read it.`)
    })
    const values = {
      text: await readText(text),
      response_format: format === 'text' ? 'json' : format,
      ...(profile && { profile }),
    }
    const bar = progressBoard(process.stderr).start(`sending ${basename(recording)}`)
    const form = formOf([recording], (_, fraction) => bar.update(fraction), { field: 'file', values })
    const response = await client
      .open('alignText', {
        // as: the client sends a stream as it is, under the type that says what it is
        body: form.body as unknown as FormData,
        headers: { 'Content-Type': form.contentType },
      })
      .catch((error: unknown) => {
        bar.fail()
        throw error
      })
    bar.done()
    const answer = await response.text()
    process.stdout.write(format === 'text' ? readable(JSON.parse(answer) as Answer) : answer) // as: the description says so
  },
}

interface Answer {
  readonly words: readonly {
    readonly word: string
    readonly start: number
    readonly end: number
    readonly confidence: number
    readonly interpolated?: true
  }[]
}

function readable({ words }: Answer): string {
  return words
    .map(({ word, start, end, confidence, interpolated }) => {
      const times = [start, end].map((seconds) => seconds.toFixed(3).padStart(8)).join(' ')
      return `${times} ${confidence.toFixed(2)} ${printable(word)}${interpolated ? ' *' : ''}\n`
    })
    .join('')
}

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size <= textMaxBytes) return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new UsageError(`${printable(path)} cannot be read (${code}).`)
  }
  throw new UsageError(`${printable(path)} is longer than ${alignLimits.characters} characters, which is the limit.`)
}
