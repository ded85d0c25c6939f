import { away } from '../../../../actors/failure.ts'
import type { AudioProbe } from '../../../../actors/upload/ports.ts'
import { boundedBytes } from './bounded-bytes.ts'
import type { BoundedBytes } from './bounded-bytes.ts'
import { readHeader } from './sniff.ts'
import { notAudio } from './verdict.ts'
import type { HeaderVerdict } from './verdict.ts'

export function audioProbe(): AudioProbe {
  return {
    async probe(bytes) {
      try {
        return await probeBytes(boundedBytes(bytes))
      } catch (error) {
        throw classify(error)
      }
    },
  }
}

/** What the bytes say, whatever they are: no content makes this throw. */
export async function probeBytes(bytes: BoundedBytes): Promise<HeaderVerdict> {
  const verdict = await readHeader(bytes)
  if (verdict.audio || !bytes.exhausted) return verdict
  return notAudio(
    'keeps its header scattered over more of the file than this service reads: save it again as WAV or MP3',
  )
}

function classify(error: unknown): unknown {
  const fromTheSystem = error instanceof Error && 'syscall' in error
  return fromTheSystem
    ? away('storage_unavailable', 'The received file could not be read back from disk: send it again.', error)
    : error
}
