import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { openCtcEngine } from '../../infra/speech/asr/ctc/engine.ts'
import type { ListenedVocabulary } from '../../infra/speech/asr/recogniser.ts'
import { bundledModels } from '../../infra/speech/models/bundled.ts'
import { indianNames, rareNames } from '../../infra/speech/redaction/name-lists.ts'
import { errorRates, normalisedForScoring } from '../../infra/speech/text/error-rate.ts'
import { openVoices } from '../../infra/speech/tts/open-voices.ts'
import { silentLog } from '../support/silent-log.ts'
import { hinglishSentences } from './hinglish/sentences.ts'
import { speakSentences } from './hinglish/speak-sentences.ts'
import { benchPlaces } from './places.ts'
import { readSpeech } from './speech.ts'
import { machine, printTable } from './table.ts'

const entries = 5_000
/** Shorter ones are in other words. */
const leastLetters = 4

interface Clip {
  readonly samples: Float32Array
  readonly text: string
}

interface Heard {
  readonly said: string
  readonly heard: string
  readonly ms: number
}

type Hear = (clip: Clip, vocabulary: ListenedVocabulary | undefined) => Promise<Heard>

/**
 * What a vocabulary of 5,000 entries costs, finds and invents: `npm run bench -- vocabulary --speech FOLDER`. First names that
 * nobody says; then the same with every word that was missed without them. `--clips N` takes the first so many of each kind, and
 * `--spoken` adds sentences that our neural voices say first, which takes them longer than everything else.
 */
export async function benchVocabulary(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { speech: { type: 'string' }, clips: { type: 'string' }, spoken: { type: 'boolean', default: false } },
  })
  const clipsMax = values.clips === undefined ? Infinity : Number(values.clips)
  const { hindi, english } = await readSpeech(values.speech)
  const kinds: Record<string, readonly Clip[]> = { Hindi: hindi, English: english }
  if (values.spoken) kinds['Hinglish, our voices'] = await ownVoices(clipsMax)
  const folder = join(bundledModels(), 'hinglish-ctc')
  const engine = await openCtcEngine({
    modelPath: join(folder, 'small.int8.onnx'),
    vocabularyPath: join(folder, 'vocab.json'),
    lmPath: join(folder, 'lm.bin'),
    threads: 1,
  })
  const hear: Hear = async ({ samples, text }, vocabulary) => {
    const before = process.cpuUsage()
    const { text: heard } = await engine.recognise(samples, { hotwords: [], vocabulary })
    const { user, system } = process.cpuUsage(before)
    return { said: normalisedForScoring(text), heard: normalisedForScoring(heard), ms: (user + system) / 1000 }
  }
  const rows = []
  for (const [kind, clips] of Object.entries(kinds)) rows.push(await measure(kind, clips.slice(0, clipsMax), hear))
  await engine.close()
  printTable(`A vocabulary of ${entries} entries: our recogniser alone (${machine()})`, rows)
}

async function ownVoices(sentences: number): Promise<readonly Clip[]> {
  const places = benchPlaces()
  console.error('sentences are spoken, unless an earlier run did')
  return speakSentences(hinglishSentences.slice(0, sentences), {
    open: () => openVoices({ ...places, engine: 'neural', voicesFile: '', log: silentLog }),
    cacheFolder: join(places.cacheDir, 'bench', 'hinglish'),
  })
}

/** All of them, told as they go. */
async function hearAll(what: string, clips: readonly Clip[], hear: (clip: Clip) => Promise<Heard>): Promise<Heard[]> {
  const all: Heard[] = []
  for (const clip of clips) {
    all.push(await hear(clip))
    console.error(`${what}: ${all.length} of ${clips.length} clips, ${Math.round(all.at(-1)!.ms)} ms`)
  }
  return all
}

async function measure(kind: string, clips: readonly Clip[], hear: Hear) {
  const plain = await hearAll(`${kind} without words`, clips, (clip) => hear(clip, undefined))
  const isMissed = (word: string, { heard }: Heard): boolean =>
    word.length >= leastLetters && !heard.split(' ').includes(word)
  const missed = plain.map((one) => one.said.split(' ').filter((word) => isMissed(word, one)))
  const allSaid = new Set(plain.flatMap(({ said }) => said.split(' ')))
  const names = `${indianNames} ${rareNames}`
    .split(' ')
    .filter((name) => name.length >= leastLetters && !allSaid.has(name))
  const found = [...new Set(missed.flat())]
  const vocabularyOf = (own: readonly string[]): ListenedVocabulary => ({
    key: `${kind} ${own.length}`,
    words: [...own, ...names].slice(0, entries).map((text) => ({ text, weight: 1 })),
  })
  const [unsaid, said] = [vocabularyOf([]), vocabularyOf(found)]
  // the trees are made once for all clips of a batch
  const makingMs = await timeOf(() => hear(clips[0]!, unsaid))
  const strange = await hearAll(`${kind} with names`, clips, (clip) => hear(clip, unsaid))
  const own = await hearAll(`${kind} with missed words`, clips, (clip) => hear(clip, said))
  const cpuOf = (all: readonly Heard[]): number => all.reduce((sum, { ms }) => sum + ms, 0)
  const recovered = own.reduce(
    (sum, { heard }, at) => sum + missed[at]!.filter((word) => heard.split(' ').includes(word)).length,
    0,
  )
  const lostIn = (all: readonly Heard[]): number =>
    all.reduce((sum, one, at) => sum + rightWordsLost(one, plain[at]!).length, 0)
  const rate = (all: readonly Heard[]): string => `${(100 * errorRates(all).wordErrorRate).toFixed(1)} %`
  return {
    speech: kind,
    clips: clips.length,
    'tree made, ms': Math.round(makingMs - plain[0]!.ms),
    'time with : without': (cpuOf(strange) / cpuOf(plain)).toFixed(2),
    'words wrong: none': rate(plain),
    'names nobody says': rate(strange),
    'with the missed words': rate(own),
    'missed words found': `${recovered} of ${missed.flat().length}`,
    'right words lost: names': lostIn(strange),
    'right words lost: with missed words': lostIn(own),
  }
}

/** Words that were said, and recognised before. */
function rightWordsLost({ heard, said }: Heard, before: Heard): string[] {
  const now = new Set(heard.split(' '))
  return before.heard.split(' ').filter((word) => said.split(' ').includes(word) && !now.has(word))
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
