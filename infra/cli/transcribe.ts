import { basename } from 'node:path'

import { scripts } from '../../actors/transcript/state.ts'
import { FailureError, messageOf } from '../../actors/failure.ts'
import { cacheFolderOf } from '../cache-folder.ts'
import { progressOn } from '../progress.ts'
import { profiles } from '../speech/asr/profiles.ts'
import type { SpeechEngine, TranscribeOptions } from '../speech/engine.ts'
import { formats, render } from '../speech/formats/render.ts'
import type { Format } from '../speech/formats/render.ts'
import { UsageError } from './command.ts'
import type { Command, Given } from './command.ts'

const languages = ['auto', 'hi', 'en'] as const
const channelModes = ['mix', 'separate'] as const
const exitSomeFailed = 1

export const transcribeCommand: Command = {
  name: 'transcribe',
  summary: 'Write down what recordings say, without any server.',
  help: `Usage: vaak transcribe FILE… [options]

Writes what the recordings say to standard output; progress and messages go to standard error. Any format that FFmpeg
reads will do. Models are fetched when they are first needed and kept in VAAK_CACHE.

  --language auto|hi|en        default auto: found out passage by passage
  --profile fast|balanced|accurate
                               default ASR_PROFILE
  --script native|latin|mixed  Devanagari, Latin letters, or each word in the script of its language; default native
  --format text|json|ndjson|srt|vtt
                               default text
  --speech-information         adds speaker, tone, accent, loudness, pitch and speed to each segment (json, ndjson)
  --channels mix|separate      separate keeps the two sides of a recorded call apart; default mix
  --hotwords WORDS             names and terms to listen for, separated by commas

Exit code: 0 when every file was transcribed, 1 when one was not (each is said on standard error), 2 for wrong words here.
`,
  options: {
    language: { type: 'string' },
    profile: { type: 'string' },
    script: { type: 'string' },
    format: { type: 'string' },
    'speech-information': { type: 'boolean' },
    channels: { type: 'string' },
    hotwords: { type: 'string' },
  },
  operands: true,
  async run(given) {
    const { options, operands, config } = given
    if (operands.length === 0) throw new UsageError('Which files? Try: vaak transcribe FILE…')
    const choose = chooser(options)
    const format = choose('format', formats, 'text')
    const language = choose('language', languages, 'auto')
    const transcribe: TranscribeOptions & { format: Format } = {
      format,
      script: choose('script', scripts, 'native'),
      channels: choose('channels', channelModes, 'mix'),
      speechInformation: options['speech-information'] === true,
      hotwords:
        typeof options['hotwords'] === 'string' ? options['hotwords'].split(',').map((word) => word.trim()) : [],
      ...(language !== 'auto' && { language }),
    }
    const { openEngine } = await import('../speech/open-engine.ts')
    const engine = await openEngine({
      cacheDir: cacheFolderOf(given),
      modelDir: config.modelDir,
      profile: choose('profile', profiles, config.asrProfile),
      startProgress: progressOn(process.stderr),
    })
    try {
      for (const path of operands)
        if (!(await transcribeOne(engine, path, transcribe))) process.exitCode = exitSomeFailed
    } finally {
      await engine.close()
    }
  },
}

async function transcribeOne(
  engine: SpeechEngine,
  path: string,
  options: TranscribeOptions & { format: Format },
): Promise<boolean> {
  const progress = progressOn(process.stderr)(basename(path))
  try {
    const result = await engine.transcribe(path, {
      ...options,
      onProgress: (heard, of) => progress.update(of === null || of === 0 ? 0 : Math.min(1, heard / of)),
    })
    progress.done()
    for (const warning of result.warnings) process.stderr.write(`${path}: ${warning}\n`)
    process.stdout.write(render(result, options.format, basename(path)))
    return true
  } catch (error) {
    progress.fail()
    if (!(error instanceof FailureError)) throw error
    process.stderr.write(`${path}: ${messageOf(error.failure.detail)}\n`)
    return false
  }
}

/** Reads options that take one word of a few. */
function chooser(options: Given['options']) {
  return <const Option extends string>(name: string, allowed: readonly Option[], fallback: Option): Option => {
    const given = options[name]
    if (given === undefined) return fallback
    const found = allowed.find((option) => option === given)
    if (found === undefined)
      throw new UsageError(`--${name} takes ${allowed.join(', ')}, not ${JSON.stringify(given)}.`)
    return found
  }
}
