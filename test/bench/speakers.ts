import { parseArgs } from 'node:util'

import { analyseFile } from '../../infra/speech/analysis/speech-information.ts'
import type { FileAnalysis } from '../../infra/speech/analysis/speech-information.ts'
import { agreement, purity } from './agreement.ts'
import type { Attribution } from './agreement.ts'
import { readingsOf, timeReading } from './read-speech.ts'
import type { SpeechReading, ReadSpeech } from './read-speech.ts'
import { readSpeech as readFolder } from './speech.ts'
import { machine, printTable } from './table.ts'

/**
 * Who is told apart, and which tags are false, in minutes of ordinary read speech: clips in a random order with gaps of 0.3 to
 * 2 s. The settings were chosen on every other reader, by name; the others are the fair test.
 * `npm run bench -- speakers --speech FOLDER [--minutes 40] [--seed 1]`
 */
export async function speakers(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      speech: { type: 'string' },
      minutes: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
    },
  })
  const folder = await readFolder(values.speech)
  const readings = await readingsOf([...folder.hindi, ...folder.english])
  const names = Array.from(new Set(readings.map(({ reader }) => reader))).sort()
  const half = (rest: number): SpeechReading[] => readings.filter(({ reader }) => names.indexOf(reader) % 2 === rest)
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
  const rows = [
    ...rowsOf('readers that settings were chosen on', half(0), { minutes: minutes / 2, seed }),
    ...rowsOf('other readers', half(1), { minutes: minutes / 2, seed }),
    ...rowsOf('all readers', readings, { minutes, seed }),
  ]
  printTable(`Read speech, seed ${seed} (${machine()})`, rows)
}

type Row = Record<string, string | number>

function rowsOf(what: string, readings: readonly SpeechReading[], options: { minutes: number; seed: number }): Row[] {
  const speech = timeReading(readings, options)
  const readers = new Set(readings.map(({ reader }) => reader)).size
  return [undefined, readers].map((wanted) => ({
    what: wanted === undefined ? what : `${what}, told how many`,
    minutes: Math.round(speech.seconds / 60),
    readers,
    ...figuresOf(speech, analyse(speech, wanted)),
  }))
}

function analyse(speech: ReadSpeech, wanted: number | undefined): FileAnalysis {
  const languages = speech.chunks.flatMap(({ segments }) => segments.map(() => ({ language: 'hi', words: ['hi'] })))
  return analyseFile(speech.chunks, languages, { speech: speech.words, speakers: wanted })
}

function figuresOf(speech: ReadSpeech, { segments, tags }: FileAnalysis): Row {
  const attributions = segments.flatMap(({ timestamps, speaker }) =>
    speech.words
      .filter(({ start, end }) => start >= timestamps.start && end <= timestamps.end)
      .map(({ start, end, label }): Attribution => ({ truth: label, guess: speaker.speaker, weight: end - start })),
  )
  const count = (type: string): number => tags.filter((tag) => tag.type === type).length
  return {
    'speakers found': new Set(segments.map(({ speaker }) => speaker.speaker)).size,
    'right %': percent(agreement(attributions)),
    'purity %': percent(purity(attributions)),
    'false shouting': count('shouting'),
    'false laughing': count('laughing'),
    pauses: count('pause'),
    'with a tone %': percent(segments.filter(({ tone }) => tone).length / segments.length),
    'calm or excited %': percent(
      segments.filter(({ tone }) => tone && tone.tone !== 'neutral').length / segments.length,
    ),
  }
}

function percent(share: number): number {
  return Math.round(1_000 * share) / 10
}
