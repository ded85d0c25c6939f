import { parseArgs } from 'node:util'

import { processEnvironment } from '../../../infra/config/config.ts'
import { openStore } from '../../../infra/speech/models/open-store.ts'
import { openVoices } from '../../../infra/speech/tts/open-voices.ts'
import type { OpenVoices } from '../../../infra/speech/tts/open-voices.ts'
import { silentLog } from '../../support/silent-log.ts'
import { benchPlaces } from '../places.ts'
import { machine, printTable } from '../table.ts'
import { hearVoices } from './hear-voices.ts'
import { raceKokoro } from './race-kokoro.ts'
import { timeVoices } from './time-voices.ts'

const usage = `npm run bench -- tts [--only hear,time,race] [--engines light,neural] [--voices ID,ID] [--sentences N] [--rounds N] [--keep FILE]

  --only       hear: what our recogniser understands; time: how fast each engine is; race: neural beside the plain loop
  --sentences  how many of the fifty of each language are heard
  --rounds     how often the runners of the race take turns
  --keep       a file for the rows of what was heard: those that are in it are not measured again`

const engines = ['light', 'neural'] as const
const parts = ['hear', 'time', 'race'] as const

/** How well our own recogniser understands each voice, how fast it is, and the neural model beside the plain loop. */
export async function tts(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: 'string', default: parts.join(',') },
      engines: { type: 'string', default: engines.join(',') },
      voices: { type: 'string', default: '' },
      sentences: { type: 'string', default: '50' },
      rounds: { type: 'string', default: '3' },
      keep: { type: 'string', default: '' },
    },
  })
  const wanted = new Set(values.only.split(','))
  const chosen = engines.filter((engine) => values.engines.split(',').includes(engine))
  if (chosen.length === 0 || !parts.some((part) => wanted.has(part))) throw new Error(`Usage: ${usage}`)
  const places = benchPlaces(processEnvironment()['MODEL_DIR'])
  const store = openStore(places)
  if (chosen.includes('neural')) for (const id of ['kokoro-82m', 'kokoro-styles']) await store.fetch(id)
  const open = (engine: (typeof engines)[number]): OpenVoices =>
    openVoices({ engine, ...places, voicesFile: '', log: silentLog })
  const only = values.voices === '' ? undefined : values.voices.split(',')
  if (wanted.has('hear')) {
    const rows = await hearVoices({
      engines: chosen,
      open,
      store,
      only,
      count: Number(values.sentences),
      keep: values.keep,
    })
    printTable(`Voices, heard by our own recogniser (${machine()})`, rows)
    console.log(`
WER and CER: edits over the length of what was said, summed over the sentences. Known again: sentences of which what was
heard is nearer to what was said than to any other of the fifty.`)
  }
  if (wanted.has('time')) {
    printTable(`Speed of the voices (${machine()})`, await timeVoices({ engines: chosen, open, only }))
    console.log(`
Real-time factor: time to make a second of speech, one text at a time. First audio: time until the first clause of three
sentences is there, median and slowest.`)
  }
  if (wanted.has('race') && chosen.includes('neural'))
    printTable(`Kokoro's weights, ours and as published (${machine()})`, await raceKokoro(store, Number(values.rounds)))
}
