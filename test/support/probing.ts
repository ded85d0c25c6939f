import type { AudioFacts, NotAudio } from '../../actors/upload/ports.ts'
import { boundedBytes } from '../../infra/speech/audio/header/bounded-bytes.ts'
import type { StoredBytes } from '../../actors/upload/ports.ts'
import type { Spending } from '../../infra/speech/audio/header/bounded-bytes.ts'
import { probeBytes } from '../../infra/speech/audio/header/probe.ts'

/** A file that exists in memory only. */
export function inMemory(content: Uint8Array): StoredBytes {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return {
    sizeBytes: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  }
}

export function probed(content: Uint8Array): Promise<AudioFacts | NotAudio> {
  return probeBytes(boundedBytes(inMemory(content)))
}

export async function priceOf(content: Uint8Array): Promise<Readonly<Spending>> {
  const bytes = boundedBytes(inMemory(content))
  await probeBytes(bytes)
  return bytes.spent
}

/** Asserting on one string keeps a table readable: `audio/wav 1.000`, or the reason. */
export async function summary(content: Uint8Array): Promise<string> {
  const verdict = await probed(content)
  if (!verdict.audio) return verdict.reason
  return `${verdict.contentType} ${verdict.durationSeconds === null ? 'unknown' : verdict.durationSeconds.toFixed(3)}`
}
