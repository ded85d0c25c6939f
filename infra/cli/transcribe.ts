import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { scripts } from '../../actors/transcript/state.ts'
import { FailureError, sentenceOf } from '../../actors/failure.ts'
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
const subtitles: ReadonlySet<Format> = new Set(['srt', 'vtt'])
const exitSomeFailed = 1

export const transcribeCommand: Command = {
  name: 'transcribe',
  summary: 'Write down what recordings say, without any server.',
  help: `Usage: vaak transcribe FILE… [options]

Writes what the recordings say to standard output; progress and messages go to
standard error. Takes WAV, MP3, M4A, AAC, MP4, MOV, OGG, Opus, WebM, FLAC, AMR,
3GP, WMA, AIFF, AU and CAF, whatever the name ends in. Models are fetched when
they are first needed and kept in VAAK_CACHE (default ~/.cache/vaak).

  --language auto|hi|en
        default auto: found out passage by passage
  --profile fast|balanced|accurate
        speed against accuracy; default ASR_PROFILE, else balanced
  --script native|latin|mixed
        Devanagari, Latin letters, or each word in the script of its language;
        default native
  --format text|json|ndjson|srt|vtt
        default text; srt and vtt take one file at a time
  --speech-information
        adds speaker, tone, accent, loudness, pitch and speed to each segment
        of json and ndjson
  --channels mix|separate
        separate keeps the two sides of a recorded call apart; default mix
  --hotwords WORDS
        names and terms to listen for, separated by commas

Exit code: 0 when every file was transcribed, 1 when one was not (standard error
says which and why), 2 when the command itself was wrong.

  vaak transcribe meeting.mp3
  vaak transcribe --language hi --format srt talk.mp4 > talk.srt
  vaak transcribe --channels separate --format json call.wav | jq .segments
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
    if (operands.length > 1 && subtitles.has(format))
      throw new UsageError(
        `--format ${format} makes one file of subtitles: give one recording at a time, not ${operands.length}.`,
      )
    const language = choose('language', languages, 'auto')
    const transcribe = {
      format,
      script: choose('script', scripts, 'native'),
      channels: choose('channels', channelModes, 'mix'),
      speechInformation: options['speech-information'] === true,
      hotwords:
        typeof options['hotwords'] === 'string'
          ? options['hotwords']
              .split(',')
              .map((word) => word.trim())
              .filter(Boolean)
          : [],
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
        if (!(await transcribeOne(engine, path, { ...transcribe, titled: operands.length > 1 })))
          process.exitCode = exitSomeFailed
    } finally {
      await engine.close()
    }
  },
}

interface Wanted extends TranscribeOptions {
  readonly format: Format
  /** Says which text is whose, where a format does not by itself. */
  readonly titled: boolean
}

async function transcribeOne(engine: SpeechEngine, path: string, options: Wanted): Promise<boolean> {
  const unreadable = await whyUnreadable(path)
  if (unreadable !== undefined) {
    process.stderr.write(`${path}: ${unreadable}\n`)
    return false
  }
  const progress = progressOn(process.stderr)(basename(path))
  try {
    const result = await engine.transcribe(path, {
      ...options,
      onProgress: (heard, of) => progress.update(of === null || of === 0 ? 0 : Math.min(1, heard / of)),
    })
    progress.done()
    for (const warning of result.warnings) process.stderr.write(`${path}: ${warning}\n`)
    if (result.segments.length === 0) process.stderr.write(`${path}: There is no speech in it.\n`)
    const title = options.titled && options.format === 'text' ? `==> ${path} <==\n` : ''
    process.stdout.write(title + render(result, options.format, basename(path)))
    return true
  } catch (error) {
    progress.fail()
    if (!(error instanceof FailureError)) throw error
    process.stderr.write(`${path}: ${sentenceOf(error.failure)}\n`)
    return false
  }
}

/** A person mistypes names; the engine is given files of ours and only knows that a disk may fail. */
async function whyUnreadable(path: string): Promise<string | undefined> {
  try {
    const facts = await stat(path)
    await access(path, constants.R_OK)
    if (facts.isDirectory()) return 'This is a folder. Name the files in it.'
    return facts.isFile() && facts.size === 0 ? 'The file is empty.' : undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'There is no such file.'
    return code === 'EACCES' ? 'You may not read this file.' : `The file cannot be read (${String(code)}).`
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
