import { open } from 'node:fs/promises'
import { text } from 'node:stream/consumers'

import { cacheFolderOf } from '../config/cache-folder.ts'
import { openTimeline } from '../speech/audio/signal/spoken-timeline.ts'
import type { SpokenWordTime } from '../speech/audio/signal/spoken-timeline.ts'
import { spokenWavHeader } from '../speech/audio/signal/wav-header.ts'
import type { OpenVoices } from '../speech/tts/open-voices.ts'
import { openLog } from '../telemetry/log.ts'
import { UsageError } from './command.ts'
import type { Command, GivenArguments } from './command.ts'

const defaultVoice = 'asha'
const formatsByEnding = {
  wav: 'wav',
  pcm: 'pcm',
  raw: 'pcm',
  mp3: 'mp3',
  opus: 'opus',
  ogg: 'opus',
  aac: 'aac',
  flac: 'flac',
} as const
const charactersMax = 100_000

export const sayCommand: Command = {
  name: 'say',
  summary: 'Speak text with one of the voices, without any server.',
  examples: `  vaak say "नमस्ते, kal 10:30 बजे meeting है।" --voice asha --out hello.wav
  vaak say "வணக்கம்" --voice kavya --out vanakkam.mp3
  vaak say - --voice maya < speech.txt | aplay
  vaak say "नमस्ते, आशा।" --out hello.wav --timestamps > hello.json
`,
  help: `Usage: vaak say TEXT… --out FILE [options]

Speaks Hindi, Tamil, English or a mixture of them, in any of their scripts. "-" as
the text reads it from standard input. The ending of the file says the format: wav,
pcm (16-bit, mono, 24 kHz), mp3, opus or ogg, aac, flac. Without --out, WAV goes to
standard output when that is not a terminal.

  --voice ID     default ${defaultVoice}; --list shows all
  --speed N      0.25 to 4; default 1
  --out FILE     where the sound goes
  --timestamps   write to standard output, as JSON, when each word is heard
  --list         list the voices and stop

TTS_ENGINE chooses what makes the voices: light needs no model and is there at once;
otherwise the neural one speaks where it is fetched. VOICES_FILE adds voices of your own.
`,
  options: {
    voice: { type: 'string' },
    speed: { type: 'string' },
    out: { type: 'string' },
    timestamps: { type: 'boolean' },
    list: { type: 'boolean' },
  },
  operands: true,
  async run(given) {
    const { config } = given
    const { openVoices } = await import('../speech/tts/open-voices.ts')
    // which engine speaks is for the log of a server; a person hears it
    const log = openLog({ level: 'warn', pii: config.logPii, role: 'say' })
    const voices = openVoices({
      engine: config.ttsEngine,
      voicesFile: config.voicesFile,
      cacheDir: cacheFolderOf(given),
      modelDir: config.modelDir,
      isInNoHurry: true,
      log,
    })
    try {
      if (given.options['list'] === true) {
        for (const { id, gender, language } of voices.list())
          process.stdout.write(`${id.padEnd(12)} ${language}  ${gender}\n`)
        return
      }
      await say(given, voices)
    } finally {
      await voices.close()
    }
  },
}

async function say({ options, operands }: GivenArguments, voices: OpenVoices): Promise<void> {
  if (operands.length === 0) throw new UsageError('What to say? Try: vaak say "नमस्ते" --out hello.wav')
  const { out, voice = defaultVoice } = options
  if (typeof out !== 'string' && process.stdout.isTTY)
    throw new UsageError('Where to? Add --out FILE, or send standard output to a program or a file.')
  if (typeof out !== 'string' && options['timestamps'] === true)
    throw new UsageError('--timestamps writes to standard output, where the sound would go: add --out FILE.')
  if (!voices.find(String(voice))) {
    const known = voices.list().map(({ id }) => id)
    throw new UsageError(`There is no voice ${JSON.stringify(voice)}. There are ${known.join(', ')}.`)
  }
  const words = operands.length === 1 && operands[0] === '-' ? await text(process.stdin) : operands.join(' ')
  if (words.length > charactersMax) throw new UsageError(`The text has more than ${charactersMax} characters.`)
  const format = typeof out === 'string' ? formatOf(out) : 'wav'
  const speakOptions = { voice: String(voice), speed: speedOf(options['speed']), signal: new AbortController().signal }
  const { openAudioEncoder } = await import('../speech/audio/encode.ts')
  const timeline = openTimeline()
  const times: SpokenWordTime[] = []
  async function* samples(): AsyncGenerator<Int16Array> {
    for await (const clause of voices.speak(once(words), speakOptions)) {
      times.push(...timeline.place(clause))
      yield clause.samples
    }
  }
  const encoder = openAudioEncoder()
  try {
    await write(encoder.encode(format, samples()), out)
  } finally {
    await encoder.close()
  }
  if (options['timestamps'] === true)
    process.stdout.write(`${JSON.stringify({ duration: timeline.seconds(), words: times }, undefined, 2)}\n`)
}

async function write(chunks: AsyncIterable<Uint8Array>, out: string | boolean | undefined): Promise<void> {
  if (typeof out !== 'string') {
    for await (const chunk of chunks)
      if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve))
    return
  }
  const file = await open(out, 'w').catch((error: unknown) => {
    throw new UsageError(`${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  })
  try {
    let sizeBytes = 0
    for await (const chunk of chunks) sizeBytes += (await file.write(chunk)).bytesWritten
    // a stream does not know its length; a file does, and some players insist on it
    if (formatOf(out) === 'wav') {
      const header = spokenWavHeader(sizeBytes - spokenWavHeader().length)
      await file.write(header, 0, header.length, 0)
    }
  } finally {
    await file.close()
  }
}

function formatOf(out: string): (typeof formatsByEnding)[keyof typeof formatsByEnding] {
  const ending = /\.([a-z0-9]+)$/i.exec(out)?.[1]?.toLowerCase() ?? ''
  const found = Object.entries(formatsByEnding).find(([known]) => known === ending)?.[1]
  if (found) return found
  throw new UsageError(
    `--out ends in one of ${Object.keys(formatsByEnding).join(', ')}, not in ${JSON.stringify(ending)}.`,
  )
}

function speedOf(given: string | boolean | undefined): number {
  const speed = given === undefined ? 1 : Number(given)
  if (speed >= 0.25 && speed <= 4) return speed
  throw new UsageError(`--speed takes a number from 0.25 to 4, not ${JSON.stringify(given)}.`)
}

async function* once(words: string): AsyncGenerator<string> {
  yield words
}
