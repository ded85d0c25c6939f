import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'

import { pauseSamples } from '../../actors/conversation/ports.ts'
import type { Listener } from '../../actors/conversation/ports.ts'
import { openModels } from '../../infra/speech/asr/open-models.ts'
import { modelsFor } from '../../infra/speech/asr/profiles.ts'
import type { Recogniser } from '../../infra/speech/asr/recogniser.ts'
import { openStore } from '../../infra/speech/models/open-store.ts'
import { detectionOptions, msOf } from '../../realtime/session/input/turn-detection.ts'
import type { Recording } from '../support/recordings.ts'
import { followingListener } from '../support/following-listener.ts'
import { joinedSamples } from '../support/samples.ts'
import { benchPlaces } from './places.ts'
import { readSpeech } from './speech.ts'
import { machine, percentile, printTable } from './table.ts'

const rate = 16_000
/** Clips are cut before the word at these shares of their words, as if the speaker paused there. */
const cutsAt = [0.3, 0.5, 0.7]
/** What was heard of a pause when it is judged. */
const pauseBefore = new Float32Array(pauseSamples / 2)
/** Pauses in the middle last from 200 to 1,200 ms, each length as often as any other. */
const pauseMs = { shortest: 200, longest: 1_200 }

/** A pause, how likely the speaker was taken to have finished, and whether they had. */
interface JudgedPause {
  readonly isEnd: boolean
  readonly finished: number
}

/** How often a speaker is cut off, and how long one who has finished waits: `-- turns [--speech FOLDER]`. */
export async function turns(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...words], options: { speech: { type: 'string' } } })
  const places = benchPlaces('')
  const listener = followingListener(places)
  const models = openModels({ store: openStore(places), cores: 1, fetch: async () => undefined }).of(modelsFor('fast'))
  const { hindi, english } = await readSpeech(values.speech)
  const rows: Readonly<Record<string, string | number>>[] = []
  for (const [half, clips] of Object.entries(halves([...hindi, ...english]))) {
    const pauses: JudgedPause[] = []
    for (const clip of clips) pauses.push(...(await judgedPauses(listener, await models.first(), clip)))
    rows.push(...rowsOf(half, pauses))
  }
  await Promise.all([listener.close(), models.close()])
  printTable(
    `Pauses of ${pauseMs.shortest} to ${pauseMs.longest} ms in real clips, and their ends (${machine()})`,
    rows,
  )
}

/** Clips that say the same are in the same half. */
function halves(clips: readonly Recording[]) {
  const hash = (text: string): string => createHash('md5').update(text).digest('hex')
  const texts = [...new Set(clips.map(({ text }) => text))].sort((one, other) => (hash(one) < hash(other) ? -1 : 1))
  const isTuned = ({ text }: Recording): boolean => texts.indexOf(text) % 2 === 0
  return { tuned: clips.filter(isTuned), reported: clips.filter((clip) => !isTuned(clip)) }
}

async function judgedPauses(listener: Listener, recogniser: Recogniser, clip: Recording): Promise<JudgedPause[]> {
  const [transcript] = await recogniser.transcribe([clip.samples], {})
  const words = transcript!.words
  const firsts = new Set(cutsAt.map((share) => Math.round(share * words.length)))
  const pauses: JudgedPause[] = []
  for (const first of firsts) {
    const [before, after] = [words[first - 1], words[first]]
    if (!before || !after) continue
    const cut = clip.samples.subarray(0, Math.round(((before.end + after.start) / 2) * rate))
    pauses.push({ isEnd: false, finished: await judged(listener, cut) })
  }
  return [...pauses, { isEnd: true, finished: await judged(listener, clip.samples) }]
}

/** As a session is told it; one who said nothing that was understood is not judged by it. */
async function judged(listener: Listener, speech: Float32Array): Promise<number> {
  const samples = joinedSamples([speech, pauseBefore])
  return new Promise((resolve) => {
    const turn = listener.follow({ read: async () => samples, judgePause: resolve })
    turn?.came(samples.length, pauseBefore.length)
  })
}

function rowsOf(half: string, pauses: readonly JudgedPause[]) {
  const ways: Readonly<Record<string, (finished: number) => number>> = {
    'server_vad, 500 ms': () => 500,
    'server_vad, 700 ms': () => 700,
    ...Object.fromEntries(
      (['high', 'auto', 'low'] as const).map((eagerness) => [
        `semantic_vad, ${eagerness}`,
        (finished: number) => waitMs(eagerness, finished),
      ]),
    ),
  }
  return Object.entries(ways).map(([way, wait]) => {
    const middles = pauses.filter(({ isEnd }) => !isEnd)
    const waits = pauses.filter(({ isEnd }) => isEnd).map(({ finished }) => wait(finished))
    const cutOff = middles.reduce((sum, { finished }) => sum + shareLongerThan(wait(finished)), 0) / middles.length
    return {
      half,
      way,
      pauses: middles.length,
      'cut off %': Math.round(100 * cutOff),
      ends: waits.length,
      'wait p50 ms': Math.round(percentile(waits, 0.5)),
      'mean ms': Math.round(waits.reduce((sum, ms) => sum + ms, 0) / waits.length),
    }
  })
}

function waitMs(eagerness: 'low' | 'auto' | 'high', finished: number): number {
  const turnDetection = { type: 'semantic_vad', eagerness, createResponse: true, interruptResponse: true } as const
  return msOf(detectionOptions(turnDetection, finished).silenceSamples)
}

/** Of pauses in the middle. */
function shareLongerThan(ms: number): number {
  const { shortest, longest } = pauseMs
  return Math.max(0, Math.min(1, (longest - ms) / (longest - shortest)))
}
