import { openCodec } from '../../../realtime/call/codec.ts'
import { aCaller } from '../../support/caller.ts'
import { connectClient } from './clients.ts'
import type { BenchServer } from './server.ts'

interface LineListener {
  /** Something that a person would hear begins at this time. */
  audible(atMs: number): void
  event(event: Readonly<Record<string, unknown>>): void
}

/** One session, however its audio travels. */
export interface TalkLine {
  tell(event: object): void
  /** A piece of 20 ms, as an event has it. */
  speak(append: string): void
  listen(listener: LineListener): void
  /** The type of the event after which nothing of an answer comes any more. */
  readonly endsWith: string
  close(): void
}

/** Of 16-bit samples: what a person would hear. */
const audible = 300
const samplesPerMs = 24

export async function openSocketLine(server: BenchServer): Promise<TalkLine> {
  const socket = await connectClient(server)
  let listener: LineListener | undefined
  socket.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as Record<string, unknown> // as: every event is an object
    if (event['type'] === 'response.output_audio.delta') {
      const bytes = Buffer.from(String(event['delta']), 'base64')
      hear(new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)), listener)
    }
    listener?.event(event)
  })
  return {
    tell: (event) => socket.send(JSON.stringify(event)),
    speak: (append) => socket.send(append),
    listen: (given) => void (listener = given),
    endsWith: 'response.done',
    close: () => socket.terminate(),
  }
}

export async function openCallLine(server: BenchServer): Promise<TalkLine> {
  const endings: (() => unknown)[] = []
  const key = (await server.headersOf(0))['authorization']!.split(' ')[1]!
  const caller = await aCaller({ teardown: (end) => void endings.push(end) }, server.url.replace('ws', 'http'), { key })
  const codec = await openCodec()
  let listener: LineListener | undefined
  caller.came.on('packet', (payload) => hear(codec.decoder.decode(payload), listener))
  caller.came.on('event', (event) => listener?.event(event))
  return {
    tell: (event) => caller.send(event),
    speak(append) {
      const { audio } = JSON.parse(append) as { audio: string } // as: client-audio.ts wrote it
      const frame = new Int16Array(20 * samplesPerMs)
      Buffer.from(frame.buffer).set(Buffer.from(audio, 'base64'))
      caller.sendFrame(frame)
    },
    listen: (given) => void (listener = given),
    endsWith: 'output_audio_buffer.stopped',
    close() {
      codec.close()
      for (const end of endings) void end()
    },
  }
}

/** What of a piece is silent is played too: from when it came. */
function hear(pcm: Int16Array, listener: LineListener | undefined): void {
  const at = pcm.findIndex((sample) => Math.abs(sample) > audible)
  if (at >= 0) listener?.audible(performance.now() + at / samplesPerMs)
}
