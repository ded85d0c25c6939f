import { startMessageChild } from '../../../process/message-child.ts'
import type { ChildMessage } from '../../../process/messages.ts'
import { espeakMessageKind, spokenSchema } from './protocol.ts'
import type { SpeakRequest, EspeakSpoken } from './protocol.ts'

/** One process of the phoneme engine: one request at a time. */
export interface ESpeakProcess {
  readonly requests: number
  readonly pid: number | undefined
  /** Resolves once it takes requests; rejects with `ProcessDied` when it does not come to that. */
  readonly ready: Promise<void>
  /** Rejects with `ProcessDied` when the process ends before it has answered, or is ended because it is late. */
  speak(request: SpeakRequest, allowedMs: number): Promise<ESpeakAnswer>
  /** Waits for a request without keeping our own process alive. */
  rest(): void
  end(): void
  readonly ended: Promise<unknown>
}

export interface ESpeakAnswer extends EspeakSpoken {
  /** At 24 kHz; empty when no audio was asked for. */
  readonly samples: Int16Array
}

export class ProcessDied extends Error {
  override readonly name = 'ProcessDied'
  /** Whether it was ended because it took too long. */
  readonly late: boolean

  constructor(message: string, late: boolean) {
    super(message)
    this.late = late
  }
}

const childModule = new URL('./child.js', import.meta.url)
const limits = { name: 'espeak', heapMegabytes: 128, cpuSeconds: 30 * 60, memoryBytes: 768 * 1024 * 1024 }
/** How long it may take to be ready: a second, or a minute where everything else runs first. */
const startMs = 120_000

export function startESpeakProcess(niceness?: number): ESpeakProcess {
  const child = startMessageChild(childModule, { ...limits, niceness })
  let requests = 0
  let late = false

  async function next(): Promise<ChildMessage> {
    const message = await child.next().catch(() => undefined)
    if (message) return message
    const { cause } = await child.ended
    throw new ProcessDied(cause.message, late)
  }

  async function within<Result>(allowedMs: number, work: () => Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => {
      late = requests > 0
      child.discard()
    }, allowedMs)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
    }
  }

  const ready = within(startMs, next).then(() => undefined)
  ready.catch(() => undefined) // for whoever asks

  return {
    get requests() {
      return requests
    },
    pid: child.pid,
    ready,
    async speak(request, allowedMs) {
      child.wake()
      requests += 1
      child.request(request)
      return within(allowedMs, () => answerFrom(next))
    },
    rest: child.rest,
    end: child.discard,
    ended: child.ended,
  }
}

async function answerFrom(next: () => Promise<ChildMessage>): Promise<ESpeakAnswer> {
  const audio: Buffer[] = []
  let message = await next()
  for (; message.kind === espeakMessageKind.audio; message = await next()) audio.push(message.payload)
  const spoken = spokenSchema.parse(JSON.parse(message.payload.toString('utf8')))
  // copied, because the message is a piece of a buffer that begins at any byte
  const bytes = new Uint8Array(Buffer.concat(audio))
  return { ...spoken, samples: new Int16Array(bytes.buffer, 0, bytes.length >> 1) }
}
