import { join } from 'node:path'

import { recogniserRate } from '../../actors/conversation/ports.ts'
import { inCheckout } from '../support/checkout.ts'
import { readRecordings } from '../support/recordings.ts'
import type { Recording } from '../support/recordings.ts'

/** Recordings to measure with: a folder that holds `hindi/` and `english/`, each with WAV files and transcripts.tsv. */
export interface BenchSpeech {
  readonly folder: string
  readonly hindi: readonly Recording[]
  readonly english: readonly Recording[]
}

export async function readSpeech(folder = inCheckout('test', 'fixtures', 'speech')): Promise<BenchSpeech> {
  const [hindi, english] = await Promise.all([
    readRecordings(join(folder, 'hindi')),
    readRecordings(join(folder, 'english')),
  ])
  return { folder, hindi, english }
}

export function secondsOf(recordings: readonly Recording[]): number {
  return recordings.reduce((sum, { samples }) => sum + samples.length, 0) / recogniserRate
}
