import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
} from 'node-av/constants'
import type { FFEncoderCodec } from 'node-av/constants'
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Log, Packet, Rational } from 'node-av/lib'

import { spokenRate } from '../../../actors/conversation/ports.ts'
import type { EncodedFormat } from './encoded-format.ts'

/**
 * One encoding in a process of its own, as FFmpeg's binary is a GPL build: 16-bit samples come in at standard input, the
 * encoded sound goes out at standard output, and the process ends with it.
 */
interface Recipe {
  readonly encoder: FFEncoderCodec
  readonly container: string
  readonly bitRate: bigint
  readonly floats?: true
}

// as: the binding types encoders by constants of its own, which are these very names
const recipes: Readonly<Record<EncodedFormat, Recipe>> = {
  mp3: { encoder: 'libmp3lame' as FFEncoderCodec, container: 'mp3', bitRate: 64_000n },
  opus: { encoder: 'libopus' as FFEncoderCodec, container: 'ogg', bitRate: 32_000n },
  aac: { encoder: 'aac' as FFEncoderCodec, container: 'adts', bitRate: 64_000n, floats: true },
  flac: { encoder: 'flac' as FFEncoderCodec, container: 'flac', bitRate: 0n },
}
const sampleBytes = 2
const fullScale = 32_768
/** For an encoder that takes frames of any size. */
const usualFrame = 960

Log.setLevel(AV_LOG_QUIET)
const recipe = recipes[process.argv[2] as EncodedFormat] // as: the parent gives one of them
const codec = Codec.findEncoderByName(recipe.encoder)
if (!codec) throw new Error(`this FFmpeg has no ${recipe.encoder}`)
const encoder = openEncoder(codec)
const output = openOutput()
const packet = new Packet()
packet.alloc()
const frameSamples = encoder.frameSize || usualFrame
let pending = Buffer.alloc(0)
let written = 0n

for await (const piece of process.stdin) {
  pending = pending.length === 0 ? piece : Buffer.concat([pending, piece])
  const frameBytes = frameSamples * sampleBytes
  let at = 0
  for (; pending.length - at >= frameBytes; at += frameBytes) encode(pending.subarray(at, at + frameBytes))
  pending = pending.subarray(at)
}
if (pending.length >= sampleBytes) encode(pending.subarray(0, pending.length - (pending.length % sampleBytes)))
FFmpegError.throwIfError(encoder.sendFrameSync(null), 'flush')
drain()
FFmpegError.throwIfError(output.writeTrailerSync(), 'trailer')
output.closeOutputSync()

function openEncoder(input: Codec): CodecContext {
  const context = new CodecContext()
  context.allocContext3(input)
  context.sampleRate = spokenRate
  context.channelLayout = AV_CHANNEL_LAYOUT_MONO
  context.sampleFormat = sampleFormat()
  context.timeBase = new Rational(1, spokenRate)
  if (recipe.bitRate > 0n) context.bitRate = recipe.bitRate
  FFmpegError.throwIfError(context.open2Sync(input, null), 'encoder')
  return context
}

function sampleFormat(): CodecContext['sampleFormat'] {
  if (recipe.floats) return AV_SAMPLE_FMT_FLTP
  return recipe.encoder === recipes.mp3.encoder ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S16
}

function openOutput(): FormatContext {
  const context = new FormatContext()
  FFmpegError.throwIfError(context.allocOutputContext2(null, recipe.container, 'pipe:1'), 'container')
  const stream = context.newStream(null)
  FFmpegError.throwIfError(stream.codecpar.fromContext(encoder), 'parameters')
  stream.timeBase = new Rational(1, spokenRate)
  FFmpegError.throwIfError(context.openOutputSync(), 'output')
  FFmpegError.throwIfError(context.writeHeaderSync(null), 'header')
  return context
}

function encode(audio: Buffer): void {
  const frame = Frame.fromAudioBuffer(recipe.floats ? asFloats(audio) : Buffer.from(audio), {
    nbSamples: audio.length / sampleBytes,
    format: sampleFormat(),
    sampleRate: spokenRate,
    channelLayout: AV_CHANNEL_LAYOUT_MONO,
    timeBase: new Rational(1, spokenRate),
  })
  frame.pts = written
  written += BigInt(audio.length / sampleBytes)
  FFmpegError.throwIfError(encoder.sendFrameSync(frame), 'encode')
  frame.free()
  drain()
}

function drain(): void {
  const [stream] = output.streams
  while (encoder.receivePacketSync(packet) >= 0) {
    packet.streamIndex = 0
    packet.rescaleTs(encoder.timeBase, stream!.timeBase)
    FFmpegError.throwIfError(output.writeFrameSync(packet), 'write')
    packet.unref()
  }
  output.flushSync()
}

function asFloats(audio: Buffer): Buffer {
  const floats = new Float32Array(audio.length / sampleBytes)
  for (let i = 0; i < floats.length; i += 1) floats[i] = audio.readInt16LE(i * sampleBytes) / fullScale
  return Buffer.from(floats.buffer)
}
