/** The rarer kinds of WAV, each of 16-bit samples at 16,000 a second in one channel. */
import { aRiff, aWavFormat, asciiText, u32le, u64le } from './media.ts'
import { u16be, u32be } from './media-containers.ts'

const hz = 16_000
const sampleBytes = 2

/** With the size of its audio in 64 bits, as files above 4 GB have it. */
export function aWavIn64Bits(magic: 'RF64' | 'BW64', samples: Int16Array): Buffer {
  const audio = littleEndian(samples)
  const sizes = Buffer.concat([u64le(0), u64le(audio.length), u64le(samples.length), u32le(0)])
  const wav = aRiff([['ds64', sizes], aWavFormat({ hz }), ['data', audio, 0xffffffff]], { magic })
  wav.writeUInt32LE(0xffffffff, 4)
  return wav
}

export function aRifx(samples: Int16Array, extra = new Uint8Array()): Buffer {
  const audio = littleEndian(samples).swap16()
  const format = [u16be(1), u16be(1), u32be(hz), u32be(hz * sampleBytes), u16be(sampleBytes), u16be(8 * sampleBytes)]
  const body = [
    asciiText('WAVEfmt '),
    u32be(16 + extra.length),
    ...format,
    extra,
    asciiText('data'),
    u32be(audio.length),
    audio,
  ]
  return Buffer.concat([asciiText('RIFX'), u32be(Buffer.concat(body).length), ...body])
}

const idEnd = 'f3acd3118cd100c04f8edb8a'

type Wave64Chunk = readonly [name: string, body: Uint8Array, declaredSize?: number]

export function aWave64(samples: Int16Array): Buffer {
  return aWave64Of([aWavFormat({ hz }), ['data', littleEndian(samples)]])
}

/** Names are GUIDs, sizes count their own header, bodies are filled up to a multiple of 8. */
export function aWave64Of(chunks: readonly Wave64Chunk[]): Buffer {
  const body = Buffer.concat(chunks.map(aWave64Chunk))
  const riff = Buffer.concat([asciiText('riff'), Buffer.from('2e91cf11a5d628db04c10000', 'hex')])
  return Buffer.concat([riff, u64le(body.length + 40), anId('wave'), body])
}

function aWave64Chunk([name, body, declaredSize]: Wave64Chunk): Buffer {
  const size = declaredSize ?? body.length + 24
  return Buffer.concat([anId(name), u64le(size), body, Buffer.alloc((8 - (body.length % 8)) % 8)])
}

function anId(name: string): Buffer {
  return Buffer.concat([asciiText(name), Buffer.from(idEnd, 'hex')])
}

function littleEndian(samples: Int16Array): Buffer {
  return Buffer.from(samples.slice().buffer)
}
