import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { sampleRate } from '../../infra/speech/audio/mel.ts'

export interface SpokenClip {
  readonly name: string
  readonly samples: Float32Array
  readonly seconds: number
  readonly said: string
}

/** A folder of 16-bit mono wav at 16 kHz with `transcripts.tsv`: file name, tab, what is said. */
export function readClips(folder: string): SpokenClip[] {
  const lines = readFileSync(join(folder, 'transcripts.tsv'), 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [name = '', said = ''] = line.split('\t')
    const samples = readWav(join(folder, name))
    return { name, samples, seconds: samples.length / sampleRate, said }
  })
}

export function readWav(path: string): Float32Array {
  const bytes = readFileSync(path)
  let at = 12
  while (at + 8 <= bytes.length && bytes.toString('latin1', at, at + 4) !== 'data') at += 8 + bytes.readUInt32LE(at + 4)
  if (at + 8 > bytes.length) throw new RangeError(`${path} has no samples: a 16-bit mono wav of 16 kHz is expected`)
  const length = Math.min(bytes.readUInt32LE(at + 4), bytes.length - at - 8) >> 1
  return Float32Array.from({ length }, (_, i) => bytes.readInt16LE(at + 8 + 2 * i) / 32_768)
}
