import type { RenderedFormat } from '../speech/formats/render.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import {
  transcribingHelp,
  transcribingIn,
  transcribingOptions,
  openEngineFor,
  terminalScreen,
} from './transcribing-options.ts'
import { withStandardInput } from './standard-input.ts'
import { transcribeFiles } from './transcribe-files.ts'

const subtitles: ReadonlySet<RenderedFormat> = new Set(['srt', 'vtt'])
const exitSomeFailed = 1

export const transcribeCommand: Command = {
  name: 'transcribe',
  summary: 'Write down what recordings say, without any server.',
  examples: `  vaak transcribe meeting.mp3
  vaak transcribe --start 1:30 --end 2:00 meeting.mp3
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

${transcribingHelp.beforeFormat}
  --format text|json|ndjson|srt|vtt
        default text; srt and vtt take one file at a time
${transcribingHelp.afterFormat}
  --at-once N
        how many files are worked on together; default as many as keep this
        machine busy. Results come in the order of the files all the same

Exit code: 0 when every file was transcribed, 1 when one was not (standard error
says which and why), 2 when the command itself was wrong.
`,
  options: transcribingOptions,
  operands: true,
  async run(given) {
    const { options, operands } = given
    if (operands.length === 0) throw new UsageError('Which files? Try: vaak transcribe FILE…')
    const { format, transcribe, atOnce: wanted } = await transcribingIn(options)
    if (operands.length > 1 && subtitles.has(format))
      throw new UsageError(
        `--format ${format} makes one file of subtitles: give one recording at a time, not ${operands.length}.`,
      )
    const { filesAtOnce } = await import('../speech/engine/open-engine.ts')
    const atOnce = Math.min(operands.length, wanted ?? filesAtOnce())
    const screen = terminalScreen()
    const openEngine = () => openEngineFor(given, screen, atOnce)
    const failed = await withStandardInput(operands, (paths) =>
      transcribeFiles(paths, { openEngine, screen, format, transcribe, atOnce }),
    )
    if (failed > 0) process.exitCode = exitSomeFailed
  },
}
