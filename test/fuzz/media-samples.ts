import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { encodeG711 } from '../../infra/speech/audio/signal/g711.ts'
import { aRiff, aWav, aWavFormat } from '../support/media.ts'
import type { MediaSample } from './mutate-media.ts'

const folder = fileURLToPath(new URL('../../../test/fixtures/media/', import.meta.url))

/** Where the audio begins, by what stands before it. */
const audioBegins: readonly (readonly [name: RegExp, mark: Buffer, which: number])[] = [
  [/\.(?:m4a|mp4|mov|3gp)$/, Buffer.from('mdat'), 0],
  [/\.(?:webm|mka)$/, Buffer.from('1f43b675', 'hex'), 0],
  [/\.ogg$/, Buffer.from('OggS'), 2],
  [/\.flac$/, Buffer.from('fff8', 'hex'), 0],
  [/\.wma$/, Buffer.from('3626b2758e66cf11a6d900aa0062ce6c', 'hex'), 0],
  [/\.mp3$/, Buffer.from('fff3', 'hex'), 0],
  [/\.aac$/, Buffer.from('fff16040', 'hex'), 0],
  [/\.amr$/, Buffer.from('#!AMR'), 0],
  [/\.caf$/, Buffer.from('data'), 0],
  [/\.aifc$/, Buffer.from('SSND'), 0],
  [/\.au$/, Buffer.from('.snd'), 0],
]
const markBytes = 24

/** Every container we take, as small files. */
export async function mediaSamples(): Promise<MediaSample[]> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.md') && !name.startsWith('silent'))
  const files = await Promise.all(names.map(async (name) => sampleOf(name, await readFile(folder + name))))
  return [...files, ...plainWavs()]
}

function sampleOf(name: string, bytes: Buffer): MediaSample {
  const [, mark, which] = audioBegins.find(([pattern]) => pattern.test(name)) ?? [/x/, Buffer.of(0), 0]
  let at = bytes.indexOf(mark)
  for (let left = which; left > 0 && at >= 0; left -= 1) at = bytes.indexOf(mark, at + 1)
  if (at < 0) throw new Error(`no sound was found in ${name}`)
  return { name, bytes, audioAt: Math.min(at + markBytes, bytes.length), isPlain: /\.(?:au|aifc)$/.test(name) }
}

function plainWavs(): MediaSample[] {
  const audio = Buffer.from(aWav({ seconds: 0.3 }))
  const law = encodeG711(new Float32Array(2_400).fill(0.1), 'a-law')
  const telephone = aRiff([aWavFormat({ tag: 6, hz: 8_000, bits: 8 }), ['data', law]])
  return [
    { name: 'speech.wav', bytes: audio, audioAt: 44, isPlain: true },
    { name: 'telephone.wav', bytes: telephone, audioAt: 44, isPlain: true },
  ]
}
