import type { ExecutionContext } from 'ava'
import { WebSocket } from 'ws'

import { encodeG711 } from '../../infra/speech/audio/signal/g711.ts'
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

/** A carrier with one caller, who hears what comes in the time that it takes. */
interface TestPhone {
  readonly socket: WebSocket
  readonly frames: CarrierFrame[]
  readonly clears: number
  /** Of the present answer: since the last silence or clear. */
  readonly playedMs: number
  readonly closed: Promise<{ code: number; reason: string }>
  readonly failed: Promise<string>
  /** Text goes as it is. */
  send(frame: CarrierFrame): void
  begin(parameters: Readonly<Record<string, string>>): void
  /** 16 kHz, in frames of 20 ms, as fast as they can be sent. */
  say(samples: Float32Array): void
  silence(ms: number): void
  hears(what: string): Promise<void>
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

const frameMs = 20
const heardRate = 16_000
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
  const player = aPlayer((mark) => socket.send(JSON.stringify(script.reached(mark))))
  t.teardown(() => player.clear())
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString('utf8'))
    frames.push(frame)
    const { payload, mark, isClear } = script.read(frame)
    if (payload !== undefined) player.play(Buffer.from(payload, 'base64').length / script.bytesPerMs)
    else if (mark !== undefined) player.mark(mark)
    else if (isClear) player.clear()
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
    get clears() {
      return player.clears
    },
    get playedMs() {
      return player.playedMs
    },
    send,
    begin(parameters) {
      for (const frame of [...script.opening, script.start(parameters)]) send(frame)
    },
    say: (samples) => sendAudio(resample(samples, heardRate, phoneRate)),
    silence: (ms) => sendAudio(new Float32Array((phoneRate * ms) / 1_000)),
    hears: async (what) => void (await eventually(what, () => player.playedMs > 0)),
  }
}

/** Between what the server sends and what the caller hears lies a network. */
const lagMs = 600

/** Plays one piece after the other, and tells each mark when everything before it was played or cleared. */
function aPlayer(tell: (mark: string) => void) {
  let beganMs = 0
  let untilMs = 0
  let clears = 0
  const marks = new Map<string, NodeJS.Timeout>()
  const reach = (name: string): void => {
    clearTimeout(marks.get(name))
    marks.delete(name)
    tell(name)
  }
  return {
    get clears() {
      return clears
    },
    get playedMs() {
      return Math.max(0, Math.min(performance.now(), untilMs) - beganMs)
    },
    play(ms: number) {
      if (untilMs < performance.now()) {
        beganMs = performance.now() + lagMs
        untilMs = beganMs
      }
      untilMs += ms
    },
    mark(name: string) {
      marks.set(
        name,
        setTimeout(() => reach(name), untilMs - performance.now()),
      )
    },
    clear() {
      clears += 1
      untilMs = Math.min(untilMs, performance.now())
      for (const name of marks.keys()) reach(name)
    },
  }
}
