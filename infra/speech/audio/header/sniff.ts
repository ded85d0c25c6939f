import { notAudio } from './verdict.ts'
import { readWav } from './wav.ts'

import type { NotAudio } from '../../../../actors/ports.ts'
import type { BoundedBytes } from './bounded-bytes.ts'
import type { Verdict } from './verdict.ts'

/** Containers that one reader understands. */
export interface Family {
  read(bytes: BoundedBytes): Promise<Verdict>
}

const sniffBytes = 512

/** By its content alone: a name and a client's word are never asked. */
export async function sniff(bytes: BoundedBytes): Promise<Family | NotAudio> {
  const start = await bytes.upTo(0, sniffBytes)
  if (start.length === 0) return notAudio('is empty')
  return familyOf(start) ?? notAudio('is not in a format this service knows')
}

function familyOf(start: Buffer): Family | undefined {
  const magic = start.toString('latin1', 0, 4)
  if (/^(?:RIFF|RF64|BW64)$/.test(magic) && start.toString('latin1', 8, 12) === 'WAVE') return { read: readWav }
  return undefined
}
