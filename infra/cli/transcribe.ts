import { speakersMax } from '../../actors/run/state.ts'
import { defaultScript, redactionKinds, scripts } from '../../actors/transcript/state.ts'
import { cacheFolderOf } from '../config/cache-folder.ts'
import { profiles } from '../../actors/run/state.ts'
import type { TranscribeOptions } from '../speech/engine/engine.ts'
import { renderedFormats } from '../speech/formats/render.ts'
import type { RenderedFormat } from '../speech/formats/render.ts'
import { progressBoard } from '../telemetry/progress.ts'
import { chooser, chosenLanguages, chosenRedaction, wholeNumber, wordsIn } from './choose.ts'
import { UsageError } from './command.ts'
import type { Command, GivenArguments } from './command.ts'
import { withStandardInput } from './standard-input.ts'
import { transcribeFiles } from './transcribe-files.ts'
import type { Screen } from './transcribe-files.ts'

const channelModes = ['mix', 'separate'] as const
const subtitles: ReadonlySet<RenderedFormat> = new Set(['srt', 'vtt'])
const detailed: ReadonlySet<RenderedFormat> = new Set(['json', 'ndjson'])
const exitSomeFailed = 1
const filesTogetherMax = 64

export const transcribeCommand: Command = {
  name: 'transcribe',
  summary: 'Write down what recordings say, without any server.',
  examples: `  vaak transcribe meeting.mp3
  vaak transcribe --language hi --format srt talk.mp4 > talk.srt
  vaak transcribe --channels separate --format json call.wav | jq .segments
`,
  help: `Usage: vaak transcribe FILE… [options]

Writes what the recordings say to standard output; progress and messages go to
standard error. Takes WAV, MP3, M4A, AAC, MP4, MOV, OGG, Opus, WebM, FLAC, AMR,
3GP, WMA, AIFF, AU, CAF and Wave64, whatever the name ends in; "-" is standard
input. Models are
fetched when they are first needed and kept in VAAK_CACHE (default
~/.cache/vaak).

  --language CODE
        ${chosenLanguages.join(', ')};
        default auto: found out passage by passage
  --profile fast|balanced|accurate
        speed against accuracy; default ASR_PROFILE, else balanced
  --model ID
        a Whisper model that hears everything instead of the models of the
        profile, such as a larger one in MODEL_DIR; default WHISPER_MODEL
  --script native|latin|mixed
        mixed, the default: Hindi in Devanagari, English in Latin letters; native:
        borrowed words of a Hindi sentence in Devanagari too; latin: as people type
  --numerals
        numbers, money, times and percentages as figures, in the Indian way
  --format text|json|ndjson|srt|vtt
        default text; srt and vtt take one file at a time
  --speech-information
        adds speaker, tone, accent, loudness, pitch and speed to each segment
        of json and ndjson
  --channels mix|separate
        separate keeps the two sides of a recorded call apart, each named by
        its channel; default mix
  --speakers N
        how many people speak, where you know it and channels are mixed; default:
        found out
  --hotwords WORDS
        names and terms to listen for, separated by commas
  --redact KINDS
        takes out of the words what nobody is to read, and leaves a mark such as
        [phone]; one or more of these, separated by commas, or all:
        ${redactionKinds.join(', ')}
  --at-once N
        how many files are worked on together; default as many as keep this
        machine busy. Results come in the order of the files all the same

Exit code: 0 when every file was transcribed, 1 when one was not (standard error
says which and why), 2 when the command itself was wrong.
`,
  options: {
    language: { type: 'string' },
    profile: { type: 'string' },
    model: { type: 'string' },
    script: { type: 'string' },
    numerals: { type: 'boolean' },
    format: { type: 'string' },
    'speech-information': { type: 'boolean' },
    channels: { type: 'string' },
    speakers: { type: 'string' },
    hotwords: { type: 'string' },
    redact: { type: 'string' },
    'at-once': { type: 'string' },
  },
  operands: true,
  async run(given) {
    const { options, operands, config } = given
    if (operands.length === 0) throw new UsageError('Which files? Try: vaak transcribe FILE…')
    const choose = chooser(options)
    const format = choose('format', renderedFormats, 'text')
    if (operands.length > 1 && subtitles.has(format))
      throw new UsageError(
        `--format ${format} makes one file of subtitles: give one recording at a time, not ${operands.length}.`,
      )
    const transcribe = transcribeOptionsOf(options)
    if (transcribe.speechInformation && !detailed.has(format))
      throw new UsageError(`--speech-information is part of json and ndjson, not of ${format}: add --format json.`)
    const profile = choose('profile', profiles, config.asrProfile)
    const wanted = filesTogether(options)
    const { filesAtOnce, openEngine } = await import('../speech/engine/open-engine.ts')
    const atOnce = Math.min(operands.length, wanted ?? filesAtOnce())
    const screen = terminal()
    const failed = await withStandardInput(operands, (paths) =>
      transcribeFiles(paths, {
        openEngine: () =>
          openEngine({
            cacheDir: cacheFolderOf(given),
            modelDir: config.modelDir,
            hub: config.hubAddress,
            profile,
            whisperModel: typeof options['model'] === 'string' ? options['model'] : config.whisperModel,
            startProgress: screen.startProgress,
            filesAtOnce: atOnce,
          }),
        screen,
        format,
        transcribe,
        atOnce,
      }),
    )
    if (failed > 0) process.exitCode = exitSomeFailed
  },
}

function transcribeOptionsOf(options: GivenArguments['options']): TranscribeOptions {
  const choose = chooser(options)
  const language = choose('language', chosenLanguages, 'auto')
  const { hotwords } = options
  const speakers = wholeNumber(options, 'speakers', speakersMax)
  const redact = chosenRedaction(options)
  return {
    script: choose('script', scripts, defaultScript),
    ...(options['numerals'] === true && { numerals: 'true' }),
    channels: choose('channels', channelModes, 'mix'),
    speechInformation: options['speech-information'] === true,
    hotwords: typeof hotwords === 'string' ? wordsIn(hotwords) : [],
    ...(language !== 'auto' && { language }),
    ...(speakers !== undefined && { speakers }),
    ...(redact !== undefined && { redact }),
  }
}

function filesTogether({ 'at-once': given }: GivenArguments['options']): number | undefined {
  if (given === undefined) return undefined
  if (typeof given === 'string' && /^\d{1,2}$/.test(given) && Number(given) >= 1 && Number(given) <= filesTogetherMax)
    return Number(given)
  throw new UsageError(`--at-once takes a whole number from 1 to ${filesTogetherMax}, not ${JSON.stringify(given)}.`)
}

/** Standard output may be the same terminal as standard error, where the bars are. */
function terminal(): Screen {
  const board = progressBoard(process.stderr)
  return {
    startProgress: board.start,
    result: (text) => board.aside(() => process.stdout.write(text)),
    say: (sentence) => board.aside(() => process.stderr.write(`${sentence}\n`)),
  }
}
