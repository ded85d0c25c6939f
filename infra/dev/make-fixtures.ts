// Makes recordings with our own neural voices, for the tests and for the first start:
//   node .build/infra/dev/make-fixtures.js [--times] FOLDER…
// Each folder has a transcripts.tsv: file, text, voice, seconds of silence before. Lines of one file follow each other in it.
// A file that is there stays: remove it to have it made again. With --times, when each word is said is written beside it.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

import { recogniserRate, spokenRate } from '../../actors/conversation/ports.ts'
import { cacheFolderOf } from '../config/cache-folder.ts'
import { processEnvironment, readConfig } from '../config/config.ts'
import { openAudioEncoder } from '../speech/audio/encode.ts'
import { toFloat } from '../speech/audio/signal/pcm.ts'
import { resample } from '../speech/audio/signal/resample.ts'
import { encodeWav } from '../speech/audio/wav.ts'
import { openVoices } from '../speech/tts/open-voices.ts'
import type { OpenVoices } from '../speech/tts/open-voices.ts'
import { openLog } from '../telemetry/log.ts'

interface Turn {
  readonly text: string
  readonly voice: string
  readonly pauseSeconds: number
}

/** Seconds of the recording. */
interface Times {
  readonly text: string
  readonly start: number
  readonly end: number
}

interface SpokenTurn extends Times {
  readonly voice: string
  readonly words: readonly Times[]
}

const { values, positionals: folders } = parseArgs({ options: { times: { type: 'boolean' } }, allowPositionals: true })
const environment = processEnvironment()
const config = readConfig(environment)
const encoder = openAudioEncoder()
const voices = openVoices({
  engine: 'neural',
  voicesFile: '',
  cacheDir: cacheFolderOf({ config, environment }),
  modelDir: config.modelDir,
  isInNoHurry: true,
  log: openLog({ level: 'warn', pii: config.logPii, role: 'make-fixtures' }),
})

for (const folder of folders)
  for (const [name, turns] of await recordingsIn(folder)) {
    const path = join(folder, name)
    if (existsSync(path)) continue
    const { samples, spoken } = await speakTurns(voices, turns)
    await writeFile(path, name.endsWith('.wav') ? wavOf(samples) : await opusOf(samples))
    if (values.times) await writeFile(path.replace(/\.\w+$/, '.json'), `${JSON.stringify(spoken, null, 2)}\n`)
    console.log(`${path}: ${(samples.length / spokenRate).toFixed(1)} s`)
  }
await voices.close()
await encoder.close()

async function recordingsIn(folder: string): Promise<Map<string, Turn[]>> {
  const recordings = new Map<string, Turn[]>()
  for (const line of (await readFile(join(folder, 'transcripts.tsv'), 'utf8')).split('\n').filter(Boolean)) {
    const [name = '', text = '', voice = '', pause = '0'] = line.split('\t')
    recordings.set(name, [...(recordings.get(name) ?? []), { text, voice, pauseSeconds: Number(pause) }])
  }
  return recordings
}

async function speakTurns(
  by: OpenVoices,
  turns: readonly Turn[],
): Promise<{ samples: Int16Array; spoken: SpokenTurn[] }> {
  const parts: Int16Array[] = []
  const spoken: SpokenTurn[] = []
  let at = 0
  const add = (part: Int16Array): void => {
    parts.push(part)
    at += part.length
  }
  for (const { text, voice, pauseSeconds } of turns) {
    add(new Int16Array(pauseSeconds * spokenRate))
    const words: Times[] = []
    for await (const clause of by.speak(Readable.from([text]), { voice, signal: new AbortController().signal })) {
      const seconds = (ms: number): number => Math.round((at / spokenRate) * 1_000 + ms) / 1_000
      words.push(
        ...clause.words.map((word) => ({ text: word.text, start: seconds(word.startMs), end: seconds(word.endMs) })),
      )
      add(clause.samples)
    }
    spoken.push({ text, voice, start: words[0]!.start, end: words.at(-1)!.end, words })
  }
  const samples = new Int16Array(at)
  let from = 0
  for (const part of parts) {
    samples.set(part, from)
    from += part.length
  }
  return { samples, spoken }
}

function wavOf(samples: Int16Array): Uint8Array {
  return encodeWav({ samples: resample(toFloat(samples), spokenRate, recogniserRate), extra: new Map() })
}

function opusOf(samples: Int16Array): Promise<Uint8Array> {
  return buffer(Readable.from(encoder.encode('opus', Readable.from([samples]))))
}
