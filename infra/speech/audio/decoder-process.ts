import { startLimitedChild } from '../../process/limited-child.ts'
import { readMessages } from './decoder-protocol.ts'
import type { DecodeRequest, DecoderMessage } from './decoder-protocol.ts'

/** A child process that decodes one file at a time, and the walls around it. */
export interface DecoderProcess {
  readonly files: number
  request(file: DecodeRequest): void
  /** Undefined when the process is gone, or was discarded. */
  next(): Promise<DecoderMessage | undefined>
  /** Waits for the next file without keeping our own process alive; ended after a while, of which its owner is told. */
  sleep(idleMs: number, onEnding: () => void): void
  wake(): void
  /** Ends it; what it still had to say can be read. */
  kill(): void
  /** Ends it for somebody who will not read on: unread output would keep its pipe open for ever. */
  discard(): void
  readonly ended: Promise<Death>
}

export interface Death {
  readonly wasReady: boolean
  readonly signal: NodeJS.Signals | null
  readonly cause: Error
}

const childScript = new URL('./decoder-child.js', import.meta.url)
const heapMegabytes = 96
/** Frames hang on small objects: the sooner these are collected, the fewer of those there are. */
const youngMegabytes = 1
/** More than any file needs. It ends a child that spins in native code after its parent was killed. */
const cpuSeconds = 40 * 60
const keptErrorBytes = 2_000

export function startDecoderProcess(memoryBytes: number): DecoderProcess {
  const limits = { name: 'decoder', heapMegabytes, youngMegabytes, cpuSeconds, memoryBytes }
  const child = startLimitedChild(childScript, limits)
  const messages = readMessages(child.stdout)
  let files = 0
  let wasReady = false
  let discarded = false
  let idleTimer: NodeJS.Timeout | undefined
  let lastWords = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-keptErrorBytes)
  })
  child.stdin.on('error', () => undefined) // it may be gone already: its death tells the story

  const ended = new Promise<Death>((resolve) => {
    child.once('error', (error) => resolve({ wasReady, signal: null, cause: error }))
    child.once('close', (code, signal) => {
      clearTimeout(idleTimer)
      const cause = new Error(`the decoder process ended with ${signal ?? code}: ${lastWords.trim()}`)
      resolve({ wasReady, signal, cause })
    })
  })

  const everything = [child, child.stdin, child.stdout, child.stderr]
  return {
    get files() {
      return files
    },
    request(file) {
      files += 1
      child.stdin.write(`${JSON.stringify(file)}\n`)
    },
    async next() {
      try {
        const { value } = await messages.next()
        wasReady ||= value !== undefined
        return value ?? undefined
      } catch (error) {
        if (discarded) return undefined
        throw error
      }
    },
    sleep(idleMs, onEnding) {
      for (const part of everything) if ('unref' in part && typeof part.unref === 'function') part.unref()
      idleTimer = setTimeout(() => {
        onEnding()
        child.kill('SIGKILL')
      }, idleMs)
      idleTimer.unref()
    },
    wake() {
      clearTimeout(idleTimer)
      for (const part of everything) if ('ref' in part && typeof part.ref === 'function') part.ref()
    },
    kill: () => child.kill('SIGKILL'),
    discard() {
      discarded = true
      child.kill('SIGKILL')
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
    },
    ended,
  }
}
