import type { ExecutionContext } from 'ava'
import { WebSocket } from 'ws'

import { encodeG711 } from '../../infra/speech/audio/signal/g711.ts'
import { toPcm } from '../../infra/speech/audio/signal/pcm.ts'
import { resample } from '../../infra/speech/audio/signal/resample.ts'
import { carrierFrames } from './carrier-frames.ts'
import type { CarrierFrame } from './carrier-frames.ts'
import { eventually } from './eventually.ts'

/** How a carrier writes what happens in a call, after its committed frames. */
export interface CarrierScript {
  readonly path: string
  readonly opening: readonly CarrierFrame[]
  start(parameters: Readonly<Record<string, string>>): CarrierFrame
  media(payload: string): CarrierFrame
  reached(mark: string): CarrierFrame
  pressed(key: string): CarrierFrame
  readonly stop: CarrierFrame
  readonly bytesPerMs: number
  encode(samples: Float32Array): Buffer
  /** Of a frame that the server sent. */
  read(frame: CarrierFrame): { readonly payload?: string; readonly mark?: string; readonly isClear?: boolean }
}

interface PhoneOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

/** A carrier with one caller. What it is to play was played when the test says so. */
interface TestPhone {
  readonly socket: WebSocket
  readonly frames: CarrierFrame[]
  /** Of all that was to be played. */
  readonly audioMs: number
  readonly clears: number
  readonly closed: Promise<{ code: number; reason: string }>
  readonly failed: Promise<string>
  /** Text goes as it is. */
  send(frame: CarrierFrame): void
  begin(parameters: Readonly<Record<string, string>>): void
  /** 16 kHz, in frames of 20 ms, as fast as they can be sent. */
  say(samples: Float32Array): void
  silence(ms: number): void
  /** Resolves when there is so much to play. */
  hears(what: string, ms?: number): Promise<void>
  /** Tells that the first so many pieces were played of those that it has not told of. */
  played(pieces: number): void
}

const { received: twilioFrames } = carrierFrames('twilio')

export const twilioScript: CarrierScript = {
  path: '/telephone/twilio',
  opening: [twilioFrames['connected']],
  start: (customParameters) => ({
    ...twilioFrames['start'],
    start: { ...twilioFrames['start'].start, customParameters },
  }),
  media: (payload) => ({ ...twilioFrames['media'], media: { ...twilioFrames['media'].media, payload } }),
  reached: (name) => ({ ...twilioFrames['mark'], mark: { name } }),
  pressed: (digit) => ({ ...twilioFrames['dtmf'], dtmf: { ...twilioFrames['dtmf'].dtmf, digit } }),
  stop: twilioFrames['stop'],
  bytesPerMs: 8,
  encode: (samples) => Buffer.from(encodeG711(samples, 'mu-law')),
  read: ({ event, media, mark }) => ({ payload: media?.payload, mark: mark?.name, isClear: event === 'clear' }),
}

const { received: plivoFrames } = carrierFrames('plivo')

export const plivoScript: CarrierScript = {
  path: '/telephone/plivo',
  opening: [],
  start: (parameters) => ({ ...plivoFrames['start'], extra_headers: joined(parameters) }),
  media: (payload) => ({ ...plivoFrames['media'], media: { ...plivoFrames['media'].media, payload } }),
  reached: (name) => ({ ...plivoFrames['playedStream'], name }),
  pressed: (digit) => ({ ...plivoFrames['dtmf'], dtmf: { ...plivoFrames['dtmf'].dtmf, digit } }),
  stop: plivoFrames['stop'],
  bytesPerMs: 8,
  encode: (samples) => Buffer.from(encodeG711(samples, 'mu-law')),
  read: ({ event, media, name }) => ({ payload: media?.payload, mark: name, isClear: event === 'clearAudio' }),
}

const { received: exotelFrames } = carrierFrames('exotel')

export const exotelScript: CarrierScript = {
  path: '/telephone/exotel',
  opening: [exotelFrames['connected']],
  start: (custom_parameters) => ({
    ...exotelFrames['start'],
    start: { ...exotelFrames['start'].start, custom_parameters },
  }),
  media: (payload) => ({ ...exotelFrames['media'], media: { ...exotelFrames['media'].media, payload } }),
  reached: (name) => ({ ...exotelFrames['mark'], mark: { name } }),
  pressed: (digit) => ({ ...exotelFrames['dtmf'], dtmf: { ...exotelFrames['dtmf'].dtmf, digit } }),
  stop: exotelFrames['stop'],
  bytesPerMs: 16,
  encode: (samples) => Buffer.from(toPcm(samples).buffer),
  read: ({ event, media, mark }) => ({ payload: media?.payload, mark: mark?.name, isClear: event === 'clear' }),
}

function joined(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
}

const frameMs = 20
const recogniserRate = 16_000
const phoneRate = 8_000

export async function aPhone(
  t: ExecutionContext,
  url: string,
  { script, options = {} }: { readonly script: CarrierScript; readonly options?: PhoneOptions },
): Promise<TestPhone> {
  const socket = new WebSocket(`${url}${script.path}${options.query ?? ''}`, { headers: { ...options.headers } })
  const failed = new Promise<string>((resolve) => socket.once('error', (error) => resolve(error.message)))
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }))
  })
  t.teardown(() => socket.terminate())
  const frames: CarrierFrame[] = []
  const marks: string[] = []
  let [audioMs, clears] = [0, 0]
  const played = (pieces: number): void => {
    for (const mark of marks.splice(0, pieces)) socket.send(JSON.stringify(script.reached(mark)))
  }
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString('utf8'))
    frames.push(frame)
    const { payload, mark, isClear } = script.read(frame)
    if (payload !== undefined) audioMs += Buffer.from(payload, 'base64').length / script.bytesPerMs
    else if (mark !== undefined) marks.push(mark)
    else if (isClear) {
      clears += 1
      played(marks.length) // as carriers do
    }
  })
  const send = (frame: CarrierFrame): void => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  const sendAudio = (samples: Float32Array): void => {
    const length = (phoneRate * frameMs) / 1_000
    for (let at = 0; at + length <= samples.length; at += length)
      send(script.media(script.encode(samples.subarray(at, at + length)).toString('base64')))
  }
  await Promise.race([new Promise((resolve) => socket.once('open', resolve)), failed])
  return {
    socket,
    frames,
    closed,
    failed,
    get audioMs() {
      return audioMs
    },
    get clears() {
      return clears
    },
    played,
    send,
    begin(parameters) {
      for (const frame of [...script.opening, script.start(parameters)]) send(frame)
    },
    say: (samples) => sendAudio(resample(samples, recogniserRate, phoneRate)),
    silence: (ms) => sendAudio(new Float32Array((phoneRate * ms) / 1_000)),
    hears: async (what, ms = 1) => void (await eventually(what, () => audioMs >= ms)),
  }
}
