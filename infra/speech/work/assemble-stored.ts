import type { AssembledTranscript, StoredTranscript } from '../../../actors/transcript/state.ts'
import { alignedResult } from '../align/aligned-result.ts'
import { redact } from '../redaction/redact.ts'
import { textWithin } from '../redaction/text-within.ts'
import { channelTranscript } from '../transcript/assemble.ts'
import type { MissingChunk, TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import { decodePlan } from './plan.ts'
import { receiptOf } from './receipt.ts'
import { storedChunkSchema } from './schemas.ts'
import type { SpeechPlan } from './speech-plan.ts'
import type { StoredParts } from './stored-parts.ts'

/** Pure: the same parts give the same transcript, byte for byte. */
export function assembleStored(parts: StoredParts): AssembledTranscript {
  const { redact: kinds } = parts
  const plan = decodePlan(parts.plan)
  const results = parts.done
    .toSorted((one, other) => one.chunk - other.chunk)
    .map(({ chunk, result }) => ({ chunk, ...storedChunkSchema.parse(JSON.parse(Buffer.from(result).toString())) }))
  const said = parts.saidText === undefined ? heardIn(parts, { plan, results }) : laidOver(parts, { plan, results })
  const chunks = results.map(({ heard: _heard, ...summary }) => summary)
  const shown = kinds ? redact(said, kinds) : said
  const receipt = receiptOf({ ...parts, plan, done: results, result: shown.result })
  return {
    ...shown,
    // what a chunk said by itself may be a part of what was taken out
    chunks: kinds
      ? chunks.map((summary) => ({ ...summary, text: textWithin(shown.result, channelIn(plan, summary)) }))
      : chunks,
    ...(plan.sameAs && { sameAs: plan.sameAs }),
    ...(plan.waveform && { waveform: plan.waveform }),
    ...(receipt && { receipt }),
    ...(kinds && parts.keepUnredacted && { unredacted: said }),
  }
}

function channelIn(plan: SpeechPlan, { chunk, start, end }: StoredTranscript['chunks'][number]) {
  return { start, end, ...(plan.channels > 1 && { channel: plan.chunks[chunk]?.channel ?? 0 }) }
}

interface Parsed {
  readonly plan: SpeechPlan
  readonly results: readonly { readonly heard: TranscribedChunk }[]
}

function heardIn(
  { script, speakers, failed }: StoredParts,
  { plan, results }: Parsed,
): ReturnType<typeof channelTranscript> {
  return channelTranscript({
    chunks: results.map(({ heard }) => heard),
    durationSeconds: (plan.startSeconds ?? 0) + plan.seconds,
    script,
    channels: plan.channels,
    speechInformation: true,
    ...(speakers !== undefined && { speakers }),
    warnings: plan.warnings,
    missing: failed.map((one) => missingOf(plan, one)),
  })
}

/** What is said is known, and only when is not. */
function laidOver({ saidText = '', script }: StoredParts, { plan, results }: Parsed): Pick<StoredTranscript, 'result'> {
  const result = alignedResult({
    saidText,
    emissions: results.flatMap(({ heard }) => heard.emissions ?? []),
    durationSeconds: plan.seconds,
    model: results[0]?.heard.model ?? '',
    script,
    warnings: plan.warnings,
  })
  return { result }
}

function missingOf(plan: SpeechPlan, { chunk: index, reason }: StoredParts['failed'][number]): MissingChunk {
  const planned = plan.chunks[index]
  if (!planned) throw new Error(`the plan has ${plan.chunks.length} chunks, none with the number ${index}`)
  return { index, reason, chunk: planned.samples, channel: planned.channel, speech: planned.speech }
}
