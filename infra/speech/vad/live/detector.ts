import { setTimeout as pause } from 'node:timers/promises'

import type { SpeechDetector, SpeechFrame } from '../../../../actors/conversation/ports.ts'
import type { Log } from '../../../../actors/ports.ts'
import { lazily } from '../../threads/lazily.ts'
import type { Lazy } from '../../threads/lazily.ts'
import { openWorkerPool } from '../../threads/pool.ts'
import type { WorkerPool } from '../../threads/pool.ts'
import { inputSamples } from '../whole-stretches.ts'
import { Sheets } from './sheets.ts'
import { LiveStream } from './stream.ts'
import type { Look } from './stream.ts'

/** What the thread of the network is asked: one frame of each of these streams. */
export interface LookRequest {
  readonly streams: Int32Array
  /** 1 where the stream begins afresh. */
  readonly fresh: Uint8Array
  /** Context and frame of each, one after another. */
  readonly inputs: Float32Array<ArrayBuffer>
  /** Streams that are no more. */
  readonly left: readonly number[]
}

interface VoiceDetectorOptions {
  /** Where the network is, once it is there; asked again when it was not. */
  readonly modelPath: () => Promise<string>
  readonly log: Log
}

/** Larger batches save nothing more, and the first of a batch waits for the last. */
const batchMax = 64
/** So long the first of a batch waits for company: asking the thread costs more than a frame does. */
const gatherMs = 8
/** Frames of one stream that wait; sound in pieces of 100 ms brings three at once. */
const backlogLooks = 4
/** Streams that wait for the network: past two batches it is behind. */
const behindAfter = 2 * batchMax

interface WarmDetector extends SpeechDetector {
  /** Opens the network now, so that nobody's first frames wait for it; resolves when it is open. */
  warm(): Promise<void>
}

/** One network for all sessions, on a thread of its own: frames that come while it computes go together in its next run. */
export function openDetector(options: VoiceDetectorOptions): WarmDetector {
  return new Detector(
    lazily(() => openNetwork(options)),
    options.log,
  )
}

type Network = WorkerPool<LookRequest, Float32Array>

async function openNetwork({ modelPath }: VoiceDetectorOptions): Promise<Network> {
  return openWorkerPool<LookRequest, Float32Array>({
    entry: new URL('./worker.js', import.meta.url),
    workerData: { modelPath: await modelPath() },
    size: 1,
    load: (request) => ({ request, moved: [request.inputs.buffer] }),
    decode: (answer) => answer as Float32Array, // as: our own thread made it
  })
}

class Detector implements WarmDetector {
  readonly #network: Lazy<Network>
  readonly #log: Log
  /** In the order in which they are served: one frame each, then to the end. */
  readonly #waiting = new Set<LiveStream>()
  readonly #sheets = new Sheets()
  #left: number[] = []
  #isRunning = false
  /** Somebody's audio comes faster than it is spoken, or stood in a queue: it is not made to wait longer. */
  #hasBacklog = false
  #nextId = 0

  constructor(network: Lazy<Network>, log: Log) {
    this.#network = network
    this.#log = log
  }

  listen(tell: (speech: SpeechFrame) => void, rate: number): LiveStream {
    this.#nextId += 1
    return new LiveStream(this.#nextId, {
      tell,
      rate,
      want: (stream) => this.#want(stream),
      leave: (stream) => {
        this.#waiting.delete(stream)
        this.#left.push(stream.id)
      },
      isBusy: () => this.#waiting.size > behindAfter,
      sheets: this.#sheets,
    })
  }

  async warm(): Promise<void> {
    await this.#network.get()
  }

  close(): Promise<void> {
    return this.#network.close()
  }

  #want(stream: LiveStream): void {
    this.#waiting.add(stream)
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      if (this.#waiting.size < batchMax && !this.#hasBacklog) await pause(gatherMs)
      await this.#runBatch()
    }
    this.#isRunning = false
  }

  async #runBatch(): Promise<void> {
    const taken = this.#take()
    const left = this.#left
    this.#left = []
    const request = requestOf(taken, left)
    for (const { look } of taken) this.#sheets.give(look.input)
    const probabilities = await this.#ask(request)
    for (const [at, { stream, look }] of taken.entries()) stream.answer(probabilities[at] ?? 0, look.level)
  }

  /** Without the network nobody is heard to speak; clients that end their turns themselves go on. */
  async #ask(request: LookRequest): Promise<Float32Array> {
    try {
      return await (await this.#network.get()).run(request)
    } catch (error) {
      this.#log.error('speech detection failed', { error })
      return new Float32Array(request.streams.length)
    }
  }

  #take(): { stream: LiveStream; look: Look }[] {
    const taken: { stream: LiveStream; look: Look }[] = []
    for (const stream of this.#waiting) {
      if (taken.length === batchMax) break
      this.#waiting.delete(stream)
      const look = stream.looks.shift()
      if (look) taken.push({ stream, look })
    }
    // after the loop: a set goes on with what is added while it is walked
    for (const { stream } of taken) if (stream.looks.length > 0) this.#waiting.add(stream)
    this.#hasBacklog = taken.some(({ stream }) => stream.looks.length > backlogLooks)
    return taken
  }
}

function requestOf(taken: readonly { stream: LiveStream; look: Look }[], left: readonly number[]): LookRequest {
  const inputs = new Float32Array(taken.length * inputSamples)
  taken.forEach(({ look }, at) => inputs.set(look.input, at * inputSamples))
  return {
    streams: Int32Array.from(taken, ({ stream }) => stream.id),
    fresh: Uint8Array.from(taken, ({ look }) => Number(look.isFresh)),
    inputs,
    left,
  }
}
