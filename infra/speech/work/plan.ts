import { buffer } from 'node:stream/consumers'

import { planKey } from '../../../actors/ids.ts'
import type { FileRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import { sampleRate } from '../audio/mel.ts'
import type { ChannelChunk } from '../engine/cut.ts'
import { openStored } from './open-stored.ts'
import { planSchema } from './schemas.ts'
import type { SpeechPlan, PlannedChunk } from './speech-plan.ts'

export function plannedOf({ chunk, channel, speech }: ChannelChunk): PlannedChunk {
  return { start: chunk.start / sampleRate, end: chunk.end / sampleRate, channel, samples: chunk, speech }
}

/** Create-only: resolves with the plan that holds, which is another one when somebody was first. */
export async function storePlan(blobs: Blobs, of: FileRef, plan: SpeechPlan): Promise<SpeechPlan> {
  const bytes = Buffer.from(JSON.stringify(plan))
  const outcome = await blobs.put(planKey(of), { bytes }, { ifAbsent: true })
  return outcome === 'stored' ? plan : decodePlan(await readPlan(blobs, of))
}

export async function findPlan(blobs: Blobs, of: FileRef): Promise<SpeechPlan | undefined> {
  return (await blobs.stat(planKey(of))) ? decodePlan(await readPlan(blobs, of)) : undefined
}

/** As it is stored. */
export async function readPlan(blobs: Blobs, of: FileRef): Promise<Uint8Array> {
  return buffer(await openStored(blobs, planKey(of), 'The plan of this file is no longer in storage. Submit it again.'))
}

export function decodePlan(bytes: Uint8Array): SpeechPlan {
  return planSchema.parse(JSON.parse(Buffer.from(bytes).toString()))
}
