import { firstDescriptor } from '../../process/limited-child.ts'
import type { ChildEnd, ChildLimits } from '../../process/limited-child.ts'
import { startMessageChild } from '../../process/message-child.ts'
import type { ChildMessage } from '../../process/messages.ts'
import type { DecodeRequest } from './decoder-protocol.ts'
import type { RecordingSlot } from './recording-slot.ts'

/** A child process that decodes one file at a time, and the walls around it. */
export interface DecoderProcess {
  readonly files: number
  /** Whether it was given as many files as it can be. */
  readonly isSpent: boolean
  /** What it is asked about, unless it was started with the file itself. */
  readonly slot?: RecordingSlot
  request(file: RecordingRequest): void
  /** Undefined when the process is gone, or was discarded. */
  next(): Promise<ChildMessage | undefined>
  /** Waits for the next file without keeping our own process alive; ended after a while, of which its owner is told. */
  sleep(idleMs: number, onEnding: () => void): void
  wake(): void
  /** Ends it; what it still had to say can be read. */
  kill(): void
  /** Ends it for somebody who will not read on: unread output would keep its pipe open for ever. */
  discard(): void
  readonly ended: Promise<Death>
}

export type RecordingRequest = Omit<DecodeRequest, 'descriptor'>

export interface Death extends Pick<ChildEnd, 'signal' | 'cause'> {
  readonly wasReady: boolean
}

const childScript = new URL('./decoder-child.js', import.meta.url)
const heapMegabytes = 96
/** What it makes is passed on at once: the sooner it is collected, the less there is of it. */
const youngMegabytes = 1
/** More than any file needs. It ends a child that spins in native code after its parent was killed. */
const cpuSeconds = 40 * 60

export interface DecoderSeed {
  /** What it reads: the file itself, or a slot that holds one file after another. */
  readonly descriptor: number
  readonly slot?: RecordingSlot
  /** That it may be given. */
  readonly files: number
}

export function startDecoderProcess(
  { memoryBytes, niceness }: Pick<ChildLimits, 'memoryBytes' | 'niceness'>,
  { descriptor, slot, files: mostFiles }: DecoderSeed,
): DecoderProcess {
  const limits = { name: 'decoder', heapMegabytes, youngMegabytes, cpuSeconds, memoryBytes, niceness }
  const child = startMessageChild(childScript, { ...limits, descriptors: [descriptor] })
  slot?.handedOver()
  let files = 0
  let wasReady = false
  let idleTimer: NodeJS.Timeout | undefined
  return {
    get files() {
      return files
    },
    get isSpent() {
      return files >= mostFiles
    },
    ...(slot && { slot }),
    request(file) {
      child.request({ ...file, descriptor: firstDescriptor } satisfies DecodeRequest)
      files += 1
    },
    async next() {
      const message = await child.next()
      wasReady ||= message !== undefined
      return message
    },
    sleep(idleMs, onEnding) {
      child.rest()
      slot?.clear()
      idleTimer = setTimeout(() => {
        onEnding()
        child.kill()
      }, idleMs)
      idleTimer.unref()
    },
    wake() {
      clearTimeout(idleTimer)
      child.wake()
    },
    kill: child.kill,
    discard: child.discard,
    ended: child.ended.then(({ signal, cause }) => {
      clearTimeout(idleTimer)
      slot?.close()
      return { wasReady, signal, cause }
    }),
  }
}
