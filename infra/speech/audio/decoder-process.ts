import type { ChildEnd } from '../../process/limited-child.ts'
import { startMessageChild } from '../../process/message-child.ts'
import type { ChildMessage } from '../../process/messages.ts'
import type { DecodeRequest } from './decoder-protocol.ts'

/** A child process that decodes one file at a time, and the walls around it. */
export interface DecoderProcess {
  readonly files: number
  request(file: DecodeRequest): void
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

export interface Death extends Pick<ChildEnd, 'signal' | 'cause'> {
  readonly wasReady: boolean
}

const childScript = new URL('./decoder-child.js', import.meta.url)
const heapMegabytes = 96
/** Frames hang on small objects: the sooner these are collected, the fewer of those there are. */
const youngMegabytes = 1
/** More than any file needs. It ends a child that spins in native code after its parent was killed. */
const cpuSeconds = 40 * 60

export function startDecoderProcess(memoryBytes: number): DecoderProcess {
  const limits = { name: 'decoder', heapMegabytes, youngMegabytes, cpuSeconds, memoryBytes }
  const child = startMessageChild(childScript, limits)
  let files = 0
  let wasReady = false
  let idleTimer: NodeJS.Timeout | undefined
  return {
    get files() {
      return files
    },
    request(file) {
      files += 1
      child.request(file)
    },
    async next() {
      const message = await child.next()
      wasReady ||= message !== undefined
      return message
    },
    sleep(idleMs, onEnding) {
      child.rest()
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
      return { wasReady, signal, cause }
    }),
  }
}
