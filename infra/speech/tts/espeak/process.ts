import { startLimitedChild } from '../../../process/limited-child.ts'
import { readMessages } from '../../audio/decoder-protocol.ts'
import { espeakMessageKind, spokenSchema } from './protocol.ts'
import type { SpeakRequest, EspeakSpoken } from './protocol.ts'

/** One process of the phoneme engine: one request at a time. */
export interface ESpeakProcess {
  readonly requests: number
  readonly pid: number | undefined
  /** Rejects with `ProcessDied` when the process ends before it has answered, or is ended because it is late. */
  speak(request: SpeakRequest, allowedMs: number): Promise<ESpeakAnswer>
  /** Waits for a request without keeping our own process alive. */
  rest(): void
  end(): void
  readonly ended: Promise<void>
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
const keptErrorBytes = 2_000

export function startESpeakProcess(): ESpeakProcess {
  const child = startLimitedChild(childModule, limits)
  const messages = readMessages(child.stdout)
  let requests = 0
  let lastWords = ''
  let late = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-keptErrorBytes)
  })
  child.stdin.on('error', () => undefined) // it may be gone already: its death tells the story
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  })
  const everything = [child, child.stdin, child.stdout, child.stderr]

  async function next(): Promise<{ kind: number; payload: Buffer }> {
    const message = await messages.next().catch(() => undefined)
    if (message?.value) return message.value
    await ended
    const how = child.signalCode ?? child.exitCode
    throw new ProcessDied(`the phoneme engine ended with ${how}: ${lastWords.trim()}`, late)
  }

  async function answer(request: SpeakRequest): Promise<ESpeakAnswer> {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const sounds: Buffer[] = []
    let message = await next()
    for (; message.kind === espeakMessageKind.audio; message = await next()) sounds.push(message.payload)
    const spoken = spokenSchema.parse(JSON.parse(message.payload.toString('utf8')))
    // copied, because the message is a piece of a buffer that begins at any byte
    const bytes = new Uint8Array(Buffer.concat(sounds))
    return { ...spoken, samples: new Int16Array(bytes.buffer, 0, bytes.length >> 1) }
  }

  async function within<Result>(allowedMs: number, work: () => Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => {
      late = requests > 0
      end()
    }, allowedMs)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
    }
  }

  function wake(): void {
    for (const part of everything) if ('ref' in part && typeof part.ref === 'function') part.ref()
  }

  function end(): void {
    wake() // one that rests would not keep us alive until it has ended
    child.kill('SIGKILL')
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
  }

  return {
    get requests() {
      return requests
    },
    pid: child.pid,
    async speak(request, allowedMs) {
      wake()
      if (requests === 0) await within(startMs, next) // it says that it is ready
      requests += 1
      return within(allowedMs, () => answer(request))
    },
    rest() {
      for (const part of everything) if ('unref' in part && typeof part.unref === 'function') part.unref()
    },
    end,
    ended,
  }
}
