import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { inCheckout } from './checkout.ts'

/** The samples of a plain 16-bit mono WAV file, as the recordings in test/fixtures/speech are. */
export async function readWav(path: string): Promise<Float32Array> {
  const bytes = await readFile(path)
  let at = 12
  while (bytes.toString('latin1', at, at + 4) !== 'data') {
    at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2)
    if (at + 8 > bytes.length) throw new Error(`${path} has no data`)
  }
  const samples = new Float32Array(Math.min(bytes.readUInt32LE(at + 4), bytes.length - at - 8) >> 1)
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(at + 8 + 2 * i) / 32_768
  return samples
}

export interface Recording {
  readonly name: string
  readonly samples: Float32Array
  readonly text: string
}

/** A folder of WAV files with a `transcripts.tsv`: file, text. */
export async function readRecordings(folder: string): Promise<Recording[]> {
  const lines = (await readFile(join(folder, 'transcripts.tsv'), 'utf8')).split('\n').filter(Boolean)
  return Promise.all(
    lines.map(async (line) => {
      const [name = '', text = ''] = line.split('\t')
      return { name, text, samples: await readWav(join(folder, name)) }
    }),
  )
}

/** The committed ones, in Hindi. */
export function speechFixtures(): Promise<Recording[]> {
  return readRecordings(speechFolder())
}

export function speechFolder(): string {
  return inCheckout('test', 'fixtures', 'speech', 'hindi')
}
