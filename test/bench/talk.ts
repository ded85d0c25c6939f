import { parseArgs } from 'node:util'

import { clientSpeech } from '../support/client-audio.ts'
import type { ClientSpeech } from '../support/client-audio.ts'
import type { Recording } from '../support/recordings.ts'
import { openSocketLine } from './realtime/lines.ts'
import { startVaakServer } from './realtime/server.ts'
import type { BenchServer } from './realtime/server.ts'
import { speakerOver, talkPieceMs, talkRows } from './realtime/talk.ts'
import type { Turn } from './realtime/talk.ts'
import { readSpeech } from './speech.ts'
import { machine, printTable } from './table.ts'

const usage = `npm run bench -- talk [--speech FOLDER] [--languages hindi,english] [--ways server_vad,semantic_vad] [--voices light,neural] [--turns N]`

const ways: Readonly<Record<string, object>> = {
  server_vad: { type: 'server_vad', silence_duration_ms: 500 },
  semantic_vad: { type: 'semantic_vad', eagerness: 'auto' },
}
/** That count for nothing. */
const warmTurns = 2
const allCores = '0,1'

/** One session, real clips at real time, each answered by the built-in agent before the next: where the time goes. */
export async function benchTalk(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      speech: { type: 'string' },
      languages: { type: 'string', default: 'hindi,english' },
      ways: { type: 'string', default: Object.keys(ways).join(',') },
      voices: { type: 'string', default: 'light,neural' },
      turns: { type: 'string', default: '20' },
    },
  })
  const chosen = values.ways.split(',')
  if (!chosen.every((way) => way in ways)) throw new Error(`Usage: ${usage}`)
  const speech = await readSpeech(values.speech)
  const count = Number(values.turns)
  const rows: object[] = []
  for (const voice of values.voices.split(',')) {
    const server = await startVaakServer({ TTS_ENGINE: voice }, allCores)
    try {
      await server.settled()
      for (const language of values.languages.split(',') as ('hindi' | 'english')[])
        for (const way of chosen) {
          const turns = await converse(server, { clips: turnsFrom(speech[language], count), way })
          rows.push(...rowsOf([voice, language, way].join(', '), turns))
        }
    } finally {
      await server.stop()
    }
  }
  printTable(`Voice to voice, one session, two cores for server and load (${machine()})`, rows as Row[])
}

type Row = Readonly<Record<string, string | number>>

async function converse(
  server: BenchServer,
  { clips, way }: { readonly clips: readonly ClientSpeech[]; readonly way: string },
): Promise<(Turn | undefined)[]> {
  const line = await openSocketLine(server)
  const say = speakerOver(line, { turnDetection: ways[way]!, endsEarly: true })
  const turns: (Turn | undefined)[] = []
  for (const clip of [...clips.slice(0, warmTurns), ...clips]) turns.push(await say(clip))
  line.close()
  return turns.slice(warmTurns)
}

/** The shortest ones, over and over where there are too few. */
function turnsFrom(clips: readonly Recording[], count: number): ClientSpeech[] {
  const shortest = [...clips].sort((one, other) => one.samples.length - other.samples.length).slice(0, count)
  return Array.from({ length: count }, (_, at) => clientSpeech(shortest[at % shortest.length]!.samples, talkPieceMs))
}

/** Who was cut off is counted, and not timed. */
function rowsOf(name: string, turns: readonly (Turn | undefined)[]): Row[] {
  const answered = turns.filter((turn) => turn !== undefined)
  const whole = answered.filter(({ isCutOff }) => !isCutOff)
  return talkRows(name, whole).map((row) => ({
    ...row,
    turns: whole.length,
    'cut off': answered.length - whole.length,
    'no answer': turns.length - answered.length,
  }))
}
