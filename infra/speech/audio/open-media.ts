import {
  AV_CODEC_ID_NONE,
  AV_CODEC_ID_PCM_F32BE,
  AV_CODEC_ID_PCM_F32LE,
  AV_CODEC_ID_PCM_F64BE,
  AV_CODEC_ID_PCM_F64LE,
  AV_CODEC_ID_PCM_S16BE,
  AV_CODEC_ID_PCM_S16LE,
  AV_CODEC_ID_PCM_S24BE,
  AV_CODEC_ID_PCM_S24LE,
  AV_CODEC_ID_PCM_S32BE,
  AV_CODEC_ID_PCM_S32LE,
  AV_LOG_QUIET,
  AV_NOPTS_VALUE,
  AV_TIME_BASE,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants'
import type { AVCodecID } from 'node-av/constants'
import { avGetCodecName, Codec, CodecContext, Dictionary, FormatContext, InputFormat, Log, Option } from 'node-av/lib'
import type { Stream } from 'node-av/lib'

import type { DecodeRequest, Refused } from './decoder-protocol.ts'

/** Only ever loaded in the decoder's child process: FFmpeg's binary is a GPL build and parses hostile bytes. */

export interface Media {
  readonly input: FormatContext
  readonly stream: Stream
  readonly decoder: CodecContext
  /** Zero on the file's clock, in seconds. */
  readonly startSeconds: number
  readonly declaredSeconds: number | null
}

export class MediaRefusal extends Error {
  constructor(readonly refused: Refused) {
    super(refused.reason)
  }
}

export function refuse(reason: string): never {
  throw new MediaRefusal({ code: 'unsupported_media', reason })
}

const probeBytes = 5_000_000
const analyseMicroseconds = 10_000_000
const maxStreams = 64
const maxChannels = 32
const minRate = 2_000
const maxRate = 768_000

/** Speech codecs, music codecs and PCM. Pictures and subtitles of a video are never decoded, not even to look at them. */
const codecs = [
  'aac,aac_latm,ac3,alac,amrnb,amrwb,eac3,flac,g722,g729,gsm,gsm_ms,ilbc,mp1,mp1float,mp2,mp2float,mp3float,mp3,opus,speex,vorbis',
  'wmav1,wmav2,wmapro,wmavoice,wmalossless,adpcm_ima_wav,adpcm_ima_qt,adpcm_ms,adpcm_g726,adpcm_g722,adpcm_yamaha',
  'pcm_alaw,pcm_mulaw,pcm_u8,pcm_s8,pcm_s8_planar,pcm_s16le,pcm_s16be,pcm_u16le,pcm_u16be,pcm_s24le,pcm_s24be,pcm_u24le',
  'pcm_s32le,pcm_s32be,pcm_u32le,pcm_u32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_s64le,pcm_s64be',
].join(',')

/** FFmpeg reads the header of RIFX in its byte order and leaves the samples in the other, which is noise. */
const inTheOtherOrder: ReadonlyMap<AVCodecID, AVCodecID> = new Map([
  [AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE],
  [AV_CODEC_ID_PCM_S24LE, AV_CODEC_ID_PCM_S24BE],
  [AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_S32BE],
  [AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_F32BE],
  [AV_CODEC_ID_PCM_F64LE, AV_CODEC_ID_PCM_F64BE],
])

/** Codecs whose frames have a checksum that the decoder looks at only when it is told to. Others would lose good sound. */
const strictly = new Set(['flac'])

export function openMedia(request: DecodeRequest): Media {
  Log.setLevel(AV_LOG_QUIET)
  const { demuxer, name } = request.media
  const format = InputFormat.findInputFormat(demuxer)
  if (!format) refuse(`The file is ${name}, which this server cannot decode.`)
  const input = new FormatContext()
  const options = Dictionary.fromObject({
    // nothing else is opened, whatever a file refers to
    protocol_whitelist: 'fd',
    fd: request.descriptor,
    format_whitelist: format.name ?? demuxer,
    codec_whitelist: codecs,
    probesize: probeBytes,
    analyzeduration: analyseMicroseconds,
    max_streams: maxStreams,
  })
  if (input.openInputSync('fd:', format, options) < 0)
    refuse(`The file starts like ${name}, but its header cannot be read: it is damaged or incomplete.`)
  input.findStreamInfoSync(null) // a failure here shows below, in what is then missing
  return { input, ...openAudio(input, request) }
}

function openAudio(input: FormatContext, request: DecodeRequest): Omit<Media, 'input'> {
  const index = input.findBestStream(AVMEDIA_TYPE_AUDIO)
  const stream = input.streams.find((candidate) => candidate.index === index)
  if (!stream) refuse('The file holds no audio track.')
  for (const other of input.streams) if (other.index !== index) other.discard = AVDISCARD_ALL

  const parameters = stream.codecpar
  if (request.media.bigEndian) parameters.codecId = inTheOtherOrder.get(parameters.codecId) ?? parameters.codecId
  const codec = parameters.codecId === AV_CODEC_ID_NONE ? null : Codec.findDecoder(parameters.codecId)
  if (!codec || !codecs.split(',').includes(codec.name ?? ''))
    refuse(
      `The audio track is encoded as ${avGetCodecName(parameters.codecId) ?? 'something unknown'}, which is not supported.`,
    )
  if (parameters.channels > maxChannels)
    refuse(`The audio has ${parameters.channels} channels; ${maxChannels} is the limit.`)

  const decoder = new CodecContext()
  decoder.allocContext3(codec)
  decoder.parametersToContext(parameters)
  decoder.pktTimebase = stream.timeBase
  decoder.threadCount = 1
  // not by a dictionary: this binding frees one that was used up a second time
  if (strictly.has(codec.name ?? '')) Option.set(decoder.getNative(), 'err_detect', 'crccheck+explode')
  if (decoder.open2Sync(codec, null) < 0) refuse('The audio track cannot be opened: its description is damaged.')
  if (parameters.sampleRate !== 0 && !isRate(parameters.sampleRate))
    refuse(`The audio has ${parameters.sampleRate} samples a second; ${minRate} to ${maxRate} are supported.`)

  return {
    stream,
    decoder,
    startSeconds: input.startTime === AV_NOPTS_VALUE ? 0 : Number(input.startTime) / AV_TIME_BASE,
    declaredSeconds: request.media.declaresLength
      ? believable(secondsOf(input, stream), request.media.sizeBytes)
      : null,
  }
}

export function isRate(rate: number): boolean {
  return rate >= minRate && rate <= maxRate
}

/** A damaged header may promise years. Half the rate of the thriftiest speech codec is where belief ends. */
const fewestBytesPerSecond = 250
const alwaysBelievedSeconds = 60

function believable(seconds: number | null, sizeBytes: number): number | null {
  return seconds !== null && seconds > alwaysBelievedSeconds && seconds * fewestBytesPerSecond > sizeBytes
    ? null
    : seconds
}

function secondsOf(input: FormatContext, stream: Stream): number | null {
  if (stream.duration !== AV_NOPTS_VALUE && stream.duration > 0n)
    return (Number(stream.duration) * stream.timeBase.num) / stream.timeBase.den
  return input.duration === AV_NOPTS_VALUE || input.duration <= 0n ? null : Number(input.duration) / AV_TIME_BASE
}
