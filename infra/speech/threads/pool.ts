import { setMaxListeners } from 'node:events'
import { Worker } from 'node:worker_threads'

import { FairRow } from '../../../actors/fair-row.ts'
import { retryable } from '../../../actors/failure.ts'
import { openPatience } from '../../process/patience.ts'
import type { Patience } from '../../process/patience.ts'
import { openModelRest } from './model-rest.ts'
import { isPatient, modelTime, whoAsks } from './model-time.ts'
import { forbidTelemetry } from './no-telemetry.ts'
import type { WorkerPoolOptions } from './pool-options.ts'
import { fromWorkerSchema } from './serve.ts'
import type { FromWorker, ToWorker } from './serve.ts'
import { firstWord, nextWord } from './thread-words.ts'

/**
 * Threads that compute, so that the event loop does not: onnxruntime-node's `run` is asynchronous in name only and
 * holds its thread until the network is done. A thread does one request at a time and is replaced when it dies. Who had least of the
 * models lately is next, and a thread that works for one who had much leaves the processor to all others.
 */
export interface WorkerPool<Request, Answer> {
  run(request: Request, signal?: AbortSignal): Promise<Answer>
  /** Whoever waits is rejected at once; a thread that computes is told to stop and waited for. */
  close(): Promise<void>
}

const maxWaiting = 10_000
/** Room for short-lived objects: they are few here, and each collection also frees the arrays that a clip left behind. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 }
/** A thread that dies this often without an answer in between is not started again. */
const maxDeathsInARow = 5

/** Resolves when the first thread is ready, or rejects with the reason why it cannot be. The others start when there is work for them. */
export async function openWorkerPool<Request, Answer>(
  options: WorkerPoolOptions<Request, Answer>,
): Promise<WorkerPool<Request, Answer>> {
  const pool = new Pool<Request, Answer>(options)
  try {
    await pool.ready()
  } catch (error) {
    await pool.close()
    throw error
  }
  return pool
}

interface Ask<Request, Answer> {
  readonly asker: string
  readonly request: Request
  resolve(answer: Answer): void
  reject(error: unknown): void
}

interface Seat<Request, Answer> {
  worker: Worker
  state: 'starting' | 'idle' | 'busy' | 'dead'
  patience: Patience
  ask: Ask<Request, Answer> | undefined
  deathsInARow: number
}

class Pool<Request, Answer> implements WorkerPool<Request, Answer> {
  readonly #options: WorkerPoolOptions<Request, Answer>
  readonly #waiting = new FairRow<Ask<Request, Answer>>(modelTime)
  #seats: Seat<Request, Answer>[]
  readonly #rest = openModelRest(() => void this.#endThreads())
  #shared: object | undefined
  /** Why nothing more is taken. */
  #closed: Error | undefined

  constructor(options: WorkerPoolOptions<Request, Answer>) {
    this.#options = options
    this.#seats = [this.#seat()]
  }

  async ready(): Promise<void> {
    const [first] = this.#seats
    try {
      first!.patience = openPatience(await firstWord(first!.worker))
      first!.state = 'idle'
      this.#watch(first!)
      this.#restIfIdle()
    } catch (error) {
      first!.state = 'dead'
      throw error
    }
  }

  run(request: Request, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw this.#closed
      signal?.throwIfAborted()
      if (this.#waiting.size >= maxWaiting)
        throw retryable('overloaded', `${maxWaiting} others are waiting for a thread already; try again later`)
      const asker = whoAsks()
      const ask: Ask<Request, Answer> = {
        asker,
        request,
        resolve: (answer) => {
          signal?.removeEventListener('abort', abort)
          resolve(answer)
        },
        reject: (error) => {
          signal?.removeEventListener('abort', abort)
          reject(error)
        },
      }
      // One that a thread already has is computed to its end, for nobody, where the thread looks up too rarely.
      const abort = () => {
        this.#waiting.delete(asker, ask)
        this.#seats.find((seat) => seat.ask === ask)?.worker.postMessage('stop' satisfies ToWorker, [])
        reject(signal?.reason)
      }
      // a long recording waits as many clips at once, and all of them end together
      if (signal) setMaxListeners(0, signal)
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.add(asker, ask)
      this.#rest.end()
      for (const seat of this.#seats) this.#give(seat)
      this.#grow()
      this.#hurry()
    })
  }

  async close(): Promise<void> {
    this.#rest.end()
    this.#refuseAll(new Error('its threads were closed'))
    await this.#endThreads()
  }

  #restIfIdle(): void {
    const isIdle = this.#waiting.size === 0 && this.#seats.every(({ state }) => state === 'idle')
    if (this.#options.holdsModel === true && isIdle && !this.#closed) this.#rest.begin()
  }

  async #endThreads(): Promise<void> {
    const seats = this.#seats
    this.#seats = []
    this.#shared = undefined
    await Promise.all(seats.map((seat) => this.#end(seat)))
  }

  /**
   * The runtime aborts the whole process when a thread is ended while it opens a model or computes, so both are waited
   * for, however long they take: a role that has no time left kills its process.
   */
  async #end({ state, worker }: Seat<Request, Answer>): Promise<void> {
    if (state === 'busy') worker.postMessage('stop' satisfies ToWorker, [])
    if (state === 'starting' || state === 'busy') await nextWord(worker)
    await worker.terminate()
  }

  /** Whoever waits while all are busy gets a thread of its own, as long as there is room for one. */
  #grow(): void {
    const isStarting = this.#seats.some(({ state }) => state === 'starting')
    if (this.#waiting.size === 0 || isStarting || this.#seats.length === this.#options.size) return
    const seat = this.#seat()
    this.#seats.push(seat)
    this.#watch(seat)
  }

  /** Who is patient is not, while somebody who need not be waits for its thread. */
  #hurry(): void {
    if (this.#waiting.askers.every(isPatient)) return
    for (const { patience } of this.#seats) patience.set(false)
  }

  #seat(): Seat<Request, Answer> {
    const patience = openPatience(undefined)
    return { worker: this.#start(), state: 'starting', patience, ask: undefined, deathsInARow: 0 }
  }

  #start(): Worker {
    forbidTelemetry()
    const { entry, workerData, shared } = this.#options
    this.#shared ??= shared?.()
    return new Worker(entry, {
      workerData: typeof workerData === 'object' ? { ...workerData, ...this.#shared } : workerData,
      resourceLimits,
    })
  }

  #give(seat: Seat<Request, Answer>): void {
    if (seat.state !== 'idle') return
    const ask = this.#waiting.next()
    if (!ask) return
    seat.state = 'busy'
    seat.ask = ask
    seat.patience.set(isPatient(ask.asker))
    const { request, moved } = this.#options.load?.(ask.request) ?? { request: ask.request, moved: [] }
    seat.worker.postMessage({ request } satisfies ToWorker, [...moved])
  }

  #watch(seat: Seat<Request, Answer>): void {
    let cause: unknown
    seat.worker.on('message', (message: unknown) => this.#hear(seat, fromWorkerSchema.parse(message)))
    seat.worker.on('error', (error) => (cause = error))
    seat.worker.once('exit', (code) => this.#bury(seat, cause ?? new Error(`the thread ended with code ${code}`)))
  }

  #hear(seat: Seat<Request, Answer>, message: FromWorker): void {
    if (message.type === 'failed') return // it ends by itself and is buried then
    if (message.type === 'ready') seat.patience = openPatience(message.thread)
    const { ask } = seat
    if (ask && ask.asker !== '' && 'usedMs' in message) modelTime.charge(ask.asker, message.usedMs)
    seat.ask = undefined
    seat.state = 'idle'
    if (message.type === 'refused') ask?.reject(new Error(message.reason))
    if (message.type === 'answered') {
      seat.deathsInARow = 0
      try {
        ask?.resolve(this.#options.decode(message.answer))
      } catch (error) {
        ask?.reject(error)
      }
    }
    this.#give(seat)
    this.#grow()
    this.#restIfIdle()
  }

  /** A dead thread fails the one request that it had; the next goes to its successor. */
  #bury(seat: Seat<Request, Answer>, cause: unknown): void {
    seat.ask?.reject(this.#closed ?? retryable('overloaded', 'a thread died at its work; try again', cause))
    seat.ask = undefined
    seat.state = 'dead'
    if (this.#closed || !this.#seats.includes(seat)) return
    if (++seat.deathsInARow < maxDeathsInARow) {
      seat.worker = this.#start()
      seat.state = 'starting'
      this.#watch(seat)
    } else if (this.#seats.every(({ state }) => state === 'dead'))
      this.#refuseAll(new Error('every thread keeps dying', { cause }))
  }

  #refuseAll(reason: Error): void {
    this.#closed ??= reason
    for (let ask = this.#waiting.next(); ask; ask = this.#waiting.next()) ask.reject(this.#closed)
  }
}
