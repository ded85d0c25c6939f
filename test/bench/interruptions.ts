import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { openVoices } from '../../infra/speech/tts/open-voices.ts'
import { clientSpeech, silence } from '../support/client-audio.ts'
import { silentLog } from '../support/silent-log.ts'
import { speakSentences } from './hinglish/speak-sentences.ts'
import { benchPlaces } from './places.ts'
import { openSocketLine } from './realtime/lines.ts'
import type { TalkLine } from './realtime/lines.ts'
import { startVaakServer } from './realtime/server.ts'
import { talkPieceMs } from './realtime/talk.ts'
import { readSpeech } from './speech.ts'
import { machine, percentile, printTable } from './table.ts'

const ways: Readonly<Record<string, object>> = {
  server_vad: { type: 'server_vad' },
  semantic_vad: { type: 'semantic_vad' },
}
/** The voices are none of those by whose words the bars were chosen. */
const speakers = [
  {
    voices: ['kavya', 'karthik'],
    backchannels: ['हाँ', 'जी', 'अच्छा', 'ठीक है', 'हम्म', 'सही'],
    others: ['रुको', 'नहीं', 'सुनो', 'पानी'],
  },
  {
    voices: ['tara', 'neil'],
    backchannels: ['okay', 'right', 'yeah', 'mhm', 'sure', 'got it'],
    others: ['stop', 'no', 'what', 'tomorrow'],
  },
]
const longAnswer = `Say exactly "${'and then we went on and on '.repeat(12).trim()}"`
/** Into the answer. */
const beginsAfterMs = 600
const listensForMs = 1_600
/** Of a server whose models are still being opened on a busy machine too. */
const answersWithinMs = 120_000
/** Of 16 kHz samples: where somebody who listens would say that the sound begins. */
const loud = 0.02

interface Trial {
  /** From where the sound begins until a client is told to be silent; absent when it never was. */
  readonly silentAfterMs: number | undefined
}

/** Words and sentences said over an answer, in real time: who interrupts it, and how soon. `-- interruptions [--speech FOLDER] [--sentences N]` */
export async function interruptions(words: readonly string[]): Promise<void> {
  const options = { speech: { type: 'string' }, sentences: { type: 'string', default: '12' } } as const
  const { values } = parseArgs({ args: [...words], options })
  const { hindi, english } = await readSpeech(values.speech)
  const real = [...english, ...hindi].slice(0, Number(values.sentences)).map(({ samples }) => samples)
  const kinds = {
    'back-channels, neural voices': await spoken(({ backchannels }) => backchannels),
    'other single words, neural voices': await spoken(({ others }) => others),
    'sentences, real people': real,
  }
  const rows: Readonly<Record<string, string | number>>[] = []
  const server = await startVaakServer({}, '0,1')
  try {
    await server.settled()
    for (const [way, turnDetection] of Object.entries(ways)) {
      const line = await openSocketLine(server)
      line.tell({
        type: 'session.update',
        session: { type: 'realtime', instructions: longAnswer, audio: { input: { turn_detection: turnDetection } } },
      })
      for (const [kind, clips] of Object.entries(kinds)) {
        const trials: Trial[] = []
        for (const samples of clips) trials.push(await sayOver(line, samples))
        rows.push(rowOf(`${way}: ${kind}`, trials))
      }
      line.close()
    }
  } finally {
    await server.stop()
  }
  printTable(`Said over an answer, light voice, profile fast (${machine()})`, rows)
}

async function spoken(textsOf: (speaker: (typeof speakers)[number]) => readonly string[]): Promise<Float32Array[]> {
  const { cacheDir, modelDir } = benchPlaces()
  const open = () =>
    openVoices({ engine: 'neural', cacheDir, modelDir, voicesFile: '', isInNoHurry: true, log: silentLog })
  const cacheFolder = join(cacheDir, 'bench', 'words')
  const all: Float32Array[] = []
  for (const speaker of speakers)
    for (const voice of speaker.voices) {
      const said = await speakSentences(textsOf(speaker), { open, cacheFolder, voices: [voice] })
      all.push(...said.map(({ samples }) => samples))
    }
  return all
}

async function sayOver(line: TalkLine, samples: Float32Array): Promise<Trial> {
  const began = samples.findIndex((sample) => Math.abs(sample) > loud)
  const { pieces } = clientSpeech(samples.subarray(began), talkPieceMs)
  const quiet = silence(talkPieceMs)
  const told: { audibleAt?: number; speechAt?: number; isOver?: true } = {}
  line.listen({
    audible: (atMs) => void (told.audibleAt ??= atMs),
    event({ type }) {
      if (type === 'input_audio_buffer.speech_started') told.speechAt ??= performance.now()
      if (type === line.endsWith) told.isOver = true
    },
  })
  line.tell({ type: 'response.create' })
  const atPace = pacer()
  while (told.audibleAt === undefined || performance.now() < told.audibleAt + beginsAfterMs) {
    line.speak(quiet)
    await atPace()
    if (atPace.sinceMs() > answersWithinMs) throw new Error('nobody answers')
  }
  const saidAt = performance.now()
  for (let at = 0; told.speechAt === undefined && performance.now() < saidAt + listensForMs; at += 1) {
    line.speak(pieces[at] ?? quiet)
    await atPace()
  }
  if (!told.isOver) line.tell({ type: 'response.cancel' })
  line.tell({ type: 'input_audio_buffer.clear' })
  while (!told.isOver) await pause(talkPieceMs)
  return { silentAfterMs: told.speechAt === undefined ? undefined : told.speechAt - saidAt }
}

/** Resolves when the next piece is due. */
function pacer() {
  const startedMs = performance.now()
  let pieces = 0
  const next = (): Promise<void> => {
    pieces += 1
    return pause(Math.max(0, startedMs + pieces * talkPieceMs - performance.now()))
  }
  return Object.assign(next, { sinceMs: () => performance.now() - startedMs })
}

function rowOf(said: string, trials: readonly Trial[]) {
  const waits = trials.flatMap(({ silentAfterMs }) => silentAfterMs ?? [])
  return {
    said,
    trials: trials.length,
    'interrupted %': Math.round((100 * waits.length) / trials.length),
    'silence p50 ms': Math.round(percentile(waits, 0.5)),
    'p95 ms': Math.round(percentile(waits, 0.95)),
  }
}
