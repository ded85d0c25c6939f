import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { planKey } from '../../../actors/ids.ts'
import type { RunRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import { readStoredJson } from '../../../actors/stored-json.ts'
import { wholeBytes } from '../../../actors/whole-bytes.ts'
import type { ChannelChunk } from '../engine/cut.ts'
import { openStored } from './open-stored.ts'
import { planSchema } from './schemas.ts'
import type { SpeechPlan, PlannedChunk } from './speech-plan.ts'

export function plannedOf({ chunk, channel, speech }: ChannelChunk): PlannedChunk {
  return { start: chunk.start / recogniserRate, end: chunk.end / recogniserRate, channel, samples: chunk, speech }
}

/** Create-only: resolves with the plan that holds, which is another one when somebody was first. */
export async function storePlan(blobs: Blobs, input: RunRef, plan: SpeechPlan): Promise<SpeechPlan> {
  const bytes = Buffer.from(JSON.stringify(plan))
  const outcome = await blobs.put(planKey(input), { bytes }, { ifAbsent: true })
  return outcome === 'stored' ? plan : decodePlan(await readPlan(blobs, input))
}

/** Nothing also where it is deleted at this moment. */
export async function findPlan(blobs: Blobs, input: RunRef): Promise<SpeechPlan | undefined> {
  const stored = await readStoredJson<object>(blobs, planKey(input))
  return stored && planSchema.parse(stored)
}

/** As it is stored. */
export async function readPlan(blobs: Blobs, input: RunRef): Promise<Uint8Array> {
  return wholeBytes(
    await openStored(blobs, planKey(input), 'The plan of this file is no longer in storage. Submit it again.'),
  )
}

export function decodePlan(bytes: Uint8Array): SpeechPlan {
  return planSchema.parse(JSON.parse(Buffer.from(bytes).toString()))
}
