import type { RunState } from '../run/state.ts'
import { readBatchQuestions } from './batch-questions.ts'
import { enterInquiry, inquiryRefOf } from './enter.ts'
import type { InquiryPorts } from './enter.ts'
import { inquiriesBegunKey } from './keys.ts'
import { readAsked } from './objects.ts'
import type { InquiryRequest } from './ports.ts'

/** `stat`: whether it was done before. */
type SubmittedPorts = InquiryPorts & { readonly blobs: { stat(key: string): Promise<unknown> } }

/**
 * What a submission wants written about each transcript begins when that is there. It may be called again and again: what is there
 * already, whatever came of it, is not asked anew, and once all have begun nothing is, so that one that its user deleted stays deleted.
 */
export async function beginSubmitted(ports: SubmittedPorts, run: RunState): Promise<void> {
  const { after = [] } = run.settings
  if (after.length === 0 || (await ports.blobs.stat(inquiriesBegunKey(run)))) return
  for (const [at, request] of (await requestsOf(ports, run)).entries()) {
    const inquiry = inquiryRefOf(run, request)
    if (await readAsked(ports.blobs, inquiry)) continue
    // files of the batch before it have as many each
    const ahead = run.index * after.length + at
    if (!(await enterInquiry(ports, inquiry, { ...request, ahead, isSubmitted: true }))) return
  }
  await ports.blobs.put(inquiriesBegunKey(run), { bytes: new Uint8Array() })
}

async function requestsOf(
  { blobs }: SubmittedPorts,
  run: RunState,
): Promise<readonly Pick<InquiryRequest, 'kind' | 'question'>[]> {
  const { after = [] } = run.settings
  const questions = after.includes('question') ? await readBatchQuestions(blobs, run) : []
  return [
    ...after.filter((kind) => kind !== 'question').map((kind) => ({ kind })),
    ...questions.map((question) => ({ kind: 'question' as const, question })),
  ]
}
