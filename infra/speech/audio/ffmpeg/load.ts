import { readFileSync } from 'node:fs'

import { Instance, Module } from './webassembly.ts'
import type { WebAssemblyCall } from './webassembly.ts'

/**
 * FFmpeg as `build.sh` makes it: the parts that we use, for every machine the same bytes. It has memory of its own and sees
 * nothing but what the host gives it, so that a recording that breaks it breaks this one instance.
 */
export interface Ffmpeg {
  readonly call: (name: string, ...given: number[]) => number
  /** The address of words of ours; they stay there. */
  readonly place: (words: string) => number
  readonly placeBytes: (bytes: Uint8Array) => number
  readonly wordsAt: (address: number) => string
  /** As long as nothing else is called: its memory may move. */
  readonly bytesAt: (address: number, length: number) => Uint8Array
  readonly floatsAt: (address: number, count: number) => Float32Array
}

/** What it may ask of us. */
interface FfmpegHost {
  /** As many bytes of the recording as there are from a position on; less than none when they cannot be read. */
  read?(into: Uint8Array, position: number): number
  write?(bytes: Uint8Array): void
}

/** Where the build is, and where the sources are: this file is in the first, the module in the second. */
const file = new URL('../../../../../infra/speech/audio/ffmpeg/ffmpeg.wasm', import.meta.url)

const module = new Module(readFileSync(file))
/** What the C library asks of a system, files or the time of day, there is not: `EBADF`. */
const nothingThere = 8

export function loadFfmpeg(host: FfmpegHost): Ffmpeg {
  const answers: Record<string, WebAssemblyCall> = {
    read: (position, address, length) => host.read?.(bytesAt(address, length), position) ?? -1,
    write: (address, length) => {
      host.write?.(bytesAt(address, length))
      return 0
    },
  }
  const system: Record<string, WebAssemblyCall> = {}
  for (const { module: from, name } of Module.imports(module)) if (from !== 'host') system[name] = () => nothingThere
  const { exports } = new Instance(module, { host: answers, wasi_snapshot_preview1: system })

  function memory(): ArrayBuffer {
    const { memory: found } = exports
    if (!found || typeof found === 'function') throw new Error('this FFmpeg has no memory')
    return found.buffer
  }

  function call(name: string, ...given: number[]): number {
    const found = exports[name]
    if (typeof found !== 'function') throw new Error(`this FFmpeg has no ${name}`)
    return found(...given)
  }

  const bytesAt = (address: number, length: number): Uint8Array => new Uint8Array(memory(), address, length)

  function placeBytes(bytes: Uint8Array): number {
    const address = call('allocate', bytes.length)
    if (address === 0) throw new Error(`this FFmpeg has no room for ${bytes.length} bytes`)
    bytesAt(address, bytes.length).set(bytes)
    return address
  }

  call('_initialize')
  return {
    call,
    place: (words) => placeBytes(Buffer.from(`${words}\0`)),
    placeBytes,
    wordsAt(address) {
      const rest = Buffer.from(memory(), address)
      return rest.toString('utf8', 0, rest.indexOf(0))
    },
    bytesAt,
    floatsAt: (address, count) => new Float32Array(memory(), address, count),
  }
}
