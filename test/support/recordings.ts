import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { inCheckout } from './checkout.ts'
import { decodeAll } from './decode-all.ts'

export interface Recording {
  readonly name: string
  readonly samples: Float32Array
  readonly text: string
}

/** A folder of audio files with a `transcripts.tsv`: file, text. */
export async function readRecordings(folder: string): Promise<Recording[]> {
  const lines = (await readFile(join(folder, 'transcripts.tsv'), 'utf8')).split('\n').filter(Boolean)
  const rows = lines.map((line) => line.split('\t'))
  const clips = await decodeAll(rows.map(([name = '']) => join(folder, name)))
  return rows.map(([name = '', text = ''], at) => ({ name, text, samples: clips[at]! }))
}

type Language = 'hindi' | 'english' | 'hinglish'
const known = new Map<Language, Promise<Recording[]>>()

/** The committed ones; decoded once for all tests of a file. */
export function speechFixtures(language: Language = 'hindi'): Promise<Recording[]> {
  const read = known.get(language) ?? readRecordings(speechFolder(language))
  known.set(language, read)
  return read
}

export function speechFolder(language: Language = 'hindi'): string {
  return inCheckout('test', 'fixtures', 'speech', language)
}

const times = { text: z.string(), start: z.number(), end: z.number() }
const turnsSchema = z.array(z.object({ ...times, voice: z.string(), words: z.array(z.object(times)) }))

interface RecordedConversation {
  readonly samples: Float32Array
  /** In seconds, as the voices spoke them. */
  readonly turns: z.infer<typeof turnsSchema>
}

/** Two people who speak in turns with pauses between, one in Hindi and one in English. */
export async function alternatingFixture(): Promise<RecordedConversation> {
  const folder = inCheckout('test', 'fixtures', 'speech', 'alternating')
  const [samples] = await decodeAll([join(folder, 'bank.ogg')])
  const turns = turnsSchema.parse(JSON.parse(await readFile(join(folder, 'bank.json'), 'utf8')))
  return { samples: samples!, turns }
}

/** The same talk as a recorded call: each of the two on a channel of their own, the first who speaks on the left. */
export async function alternatingCall(): Promise<readonly [Float32Array, Float32Array]> {
  const { samples, turns } = await alternatingFixture()
  const sides = [new Float32Array(samples.length), new Float32Array(samples.length)] as const
  for (const { start, end, voice } of turns) {
    const [from, to] = [Math.round(start * 16_000), Math.round(end * 16_000)]
    sides[voice === turns[0]!.voice ? 0 : 1].set(samples.subarray(from, to), from)
  }
  return sides
}
