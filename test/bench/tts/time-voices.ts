import { spokenRate } from '../../../actors/conversation/ports.ts'
import type { OpenVoices } from '../../../infra/speech/tts/open-voices.ts'
import { percentile } from '../table.ts'
import { sentences } from './sentences.ts'
import { sentencesIn, benchSpeak } from './speak.ts'

interface Timing {
  readonly engines: readonly ('light' | 'neural')[]
  readonly open: (engine: 'light' | 'neural') => OpenVoices
  /** Ids; one voice of each language when undefined. */
  readonly only: readonly string[] | undefined
}

const oneOfEach = ['asha', 'kavya', 'maya']
const texts = 8
const sentencesOfText = 3

/** Replies of three sentences, one after the other, by an engine that has spoken before. */
export async function timeVoices({
  engines,
  open,
  only = oneOfEach,
}: Timing): Promise<Readonly<Record<string, string>>[]> {
  const rows: Readonly<Record<string, string>>[] = []
  for (const engine of engines) {
    const voices = open(engine)
    for (const { id, language } of voices.list().filter((voice) => only.includes(voice.id)))
      rows.push({ engine, voice: id, language, ...(await timesOf(voices, id, language)) })
    await voices.close()
  }
  return rows
}

async function timesOf(voices: OpenVoices, voice: string, language: string): Promise<Record<string, string>> {
  const said = sentences[sentencesIn(language)]
  await benchSpeak(voices, voice, said[0]!) // the first one opens, compiles and allocates
  const firstMs: number[] = []
  let [madeMs, seconds] = [0, 0]
  for (let at = 0; at < texts; at += 1) {
    const some = said.slice(at * sentencesOfText, (at + 1) * sentencesOfText)
    const end = language === 'hi' ? '।' : '.'
    const text = some.map((sentence) => (/[.?!]$/u.test(sentence) ? sentence : sentence + end)).join(' ')
    const spoken = await benchSpeak(voices, voice, text)
    firstMs.push(spoken.firstMs)
    madeMs += spoken.totalMs
    seconds += spoken.samples.length / spokenRate
  }
  return {
    'seconds of speech': seconds.toFixed(1),
    'real-time factor': (madeMs / 1_000 / seconds).toFixed(3),
    'first audio, ms': `${percentile(firstMs, 0.5).toFixed(0)} / ${Math.max(...firstMs).toFixed(0)}`,
  }
}
