import { channelModes, profiles, speakersMax } from '../../actors/run/state.ts'
import { defaultScript, redactionKinds, scripts, wordStyles } from '../../actors/transcript/state.ts'
import { vocabularyLimits } from '../../actors/vocabulary/state.ts'
import { cacheFolderOf } from '../config/cache-folder.ts'
import { listenedOf, spellingsIn } from '../speech/vocabulary/spell.ts'
import type { SpeechEngine, TranscribeOptions } from '../speech/engine/engine.ts'
import { renderedFormats } from '../speech/formats/render.ts'
import type { RenderedFormat } from '../speech/formats/render.ts'
import { progressBoard } from '../telemetry/progress.ts'
import { chooser, chosenLanguages, chosenRedaction, partOption, textOption, wholeNumber, wordsIn } from './choose.ts'
import { UsageError } from './command.ts'
import type { GivenArguments } from './command.ts'
import type { Screen } from './transcribe-files.ts'
import { entriesInFile } from './vocabulary-file.ts'

const detailed: ReadonlySet<RenderedFormat> = new Set(['json', 'ndjson'])
const filesTogetherMax = 64

/** What every command takes that transcribes recordings on this machine. */
export const transcribingOptions = {
  language: { type: 'string' },
  profile: { type: 'string' },
  model: { type: 'string' },
  script: { type: 'string' },
  numerals: { type: 'boolean' },
  style: { type: 'string' },
  format: { type: 'string' },
  'speech-information': { type: 'boolean' },
  channels: { type: 'string' },
  start: { type: 'string' },
  end: { type: 'string' },
  speakers: { type: 'string' },
  hotwords: { type: 'string' },
  vocabulary: { type: 'string' },
  redact: { type: 'string' },
  'at-once': { type: 'string' },
} as const

/** What `--help` says of them, before and after what it says of `--format`. */
export const transcribingHelp = {
  beforeFormat: `  --language CODE
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
  --style verbatim|clean
        clean leaves out um, उम्म and the like, and what somebody began twice;
        default verbatim`,
  afterFormat: `  --speech-information
        adds speaker, tone, accent, loudness, pitch and speed to each segment
        of json and ndjson
  --channels mix|separate|auto
        separate keeps the two sides of a recorded call apart, each named by
        its channel; auto looks whether there are two; default mix
  --start TIME, --end TIME
        only this part: seconds, or as 1:30 or 1:02:03. Times in the result are
        those of the whole recording
  --speakers N
        how many people speak, where you know it and channels are mixed; default:
        found out
  --hotwords WORDS
        names and terms to listen for, separated by commas
  --vocabulary FILE
        many of them, and how they are spelt: a line such as "Vaak = वाक, vak" for
        each ("vaak vocabulary --help" says more)
  --redact KINDS
        takes out of the words what nobody is to read, and leaves a mark such as
        [phone]; one or more of these, separated by commas, or all:
        ${redactionKinds.join(', ')}`,
} as const

interface Transcribing {
  readonly format: RenderedFormat
  readonly transcribe: TranscribeOptions
  /** Undefined when nobody said so. */
  readonly atOnce: number | undefined
}

/** Throws what is wrong with them. */
export async function transcribingIn(options: GivenArguments['options']): Promise<Transcribing> {
  const format = chooser(options)('format', renderedFormats, 'text')
  const transcribe = { ...transcribeOptionsOf(options), ...(await vocabularyOption(options)) }
  if (transcribe.speechInformation && !detailed.has(format))
    throw new UsageError(`--speech-information is part of json and ndjson, not of ${format}: add --format json.`)
  chosenProfile(options)
  return { format, transcribe, atOnce: filesTogether(options) }
}

/** The engine of this machine, for so many files together. */
export async function openEngineFor(
  { config, environment, options }: GivenArguments,
  { startProgress }: Screen,
  filesAtOnce: number,
): Promise<SpeechEngine> {
  const { openEngine } = await import('../speech/engine/open-engine.ts')
  return openEngine({
    cacheDir: cacheFolderOf({ config, environment }),
    modelDir: config.modelDir,
    hub: config.hubAddress,
    profile: chosenProfile(options) ?? config.asrProfile,
    whisperModel: typeof options['model'] === 'string' ? options['model'] : config.whisperModel,
    startProgress,
    filesAtOnce,
  })
}

/** Standard output may be the same terminal as standard error, where the bars are. */
export function terminalScreen(): Screen {
  const board = progressBoard(process.stderr)
  return {
    startProgress: board.start,
    result: (text) => board.aside(() => process.stdout.write(text)),
    say: (sentence) => board.aside(() => process.stderr.write(`${sentence}\n`)),
  }
}

async function vocabularyOption(
  options: GivenArguments['options'],
): Promise<Pick<TranscribeOptions, 'vocabulary' | 'spellings'>> {
  const path = textOption(options, 'vocabulary')
  if (path === undefined) return {}
  const entries = await entriesInFile(path)
  if (entries.length > vocabularyLimits.entries)
    throw new UsageError(`The vocabulary has ${entries.length} entries, and the limit is ${vocabularyLimits.entries}.`)
  return { vocabulary: listenedOf(entries, path), spellings: spellingsIn(entries) }
}

function chosenProfile(options: GivenArguments['options']) {
  return chooser(options)('profile', profiles, undefined)
}

function transcribeOptionsOf(options: GivenArguments['options']): TranscribeOptions {
  const choose = chooser(options)
  const language = choose('language', chosenLanguages, 'auto')
  const { hotwords } = options
  const speakers = wholeNumber(options, 'speakers', speakersMax)
  const redact = chosenRedaction(options)
  const part = partOption(options)
  return {
    script: choose('script', scripts, defaultScript),
    ...(options['numerals'] === true && { numerals: 'true' }),
    style: choose('style', wordStyles, 'verbatim'),
    channels: choose('channels', channelModes, 'mix'),
    speechInformation: options['speech-information'] === true,
    hotwords: typeof hotwords === 'string' ? wordsIn(hotwords) : [],
    ...(language !== 'auto' && { language }),
    ...(speakers !== undefined && { speakers }),
    ...(redact !== undefined && { redact }),
    ...(part && { part }),
  }
}

function filesTogether({ 'at-once': given }: GivenArguments['options']): number | undefined {
  if (given === undefined) return undefined
  if (typeof given === 'string' && /^\d{1,2}$/.test(given) && Number(given) >= 1 && Number(given) <= filesTogetherMax)
    return Number(given)
  throw new UsageError(`--at-once takes a whole number from 1 to ${filesTogetherMax}, not ${JSON.stringify(given)}.`)
}
