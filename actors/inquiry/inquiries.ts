import { FailureError, terminal } from '../failure.ts'
import type { InquiryRef, RunRef } from '../ids.ts'
import type { RunState } from '../run/state.ts'
import { enterInquiry, inquiryRefOf, readInquiry } from './enter.ts'
import type { InquiryPorts } from './enter.ts'
import { openInquiryKey } from './keys.ts'
import { inquiryIdsOf, putAsked, removeInquiry } from './objects.ts'
import type { Inquiries, InquiryRequest } from './ports.ts'
import { inquiryLimits } from './state.ts'
import type { Inquiry } from './state.ts'

interface InquiryOptions {
  /** Of one user, on all files together. */
  readonly openMax: number
}

/** How soon somebody who has asked too much may come back. */
const comeBackSeconds = 30

export function openInquiries(ports: InquiryPorts, options: InquiryOptions): Inquiries {
  return {
    ask: (run, request) => ask(ports, options, { run, request }),
    async listOf(run) {
      const ids = await inquiryIdsOf(ports.blobs, run)
      const found = await Promise.all(ids.map((inquiryId) => readInquiry(ports, { ...refOf(run), inquiryId })))
      return found.flatMap((one) => one ?? []).sort((one, other) => one.askedAtMs - other.askedAtMs)
    },
    async remove(run, inquiryId) {
      const inquiry = { ...refOf(run), inquiryId }
      const wasThere = await removeInquiry(ports.blobs, inquiry)
      await ports.openInquiries.erase(openInquiryKey(inquiry))
      return wasThere
    },
  }
}

async function ask(
  ports: InquiryPorts,
  { openMax }: InquiryOptions,
  { run, request }: { readonly run: RunState; readonly request: InquiryRequest },
): Promise<Inquiry | undefined> {
  const inquiry = inquiryRefOf(run, request)
  const known = await readInquiry(ports, inquiry)
  if (known && !isAskedAnew(known, request)) return toldAlso(ports, { inquiry, known, request })
  if (!known && request.kind === 'question') await leaveRoom(ports, run)
  const open = [...(await ports.openInquiries.readUnder(run.owner)).values()]
  if (open.filter(({ isSubmitted, isAnswered }) => !isSubmitted && !isAnswered).length >= openMax)
    throw tooManyOpen(openMax)
  return enterInquiry(ports, inquiry, { ...request, ahead: open.length })
}

/** Whoever asks for what is waited for is called when it is there; where it came meanwhile they have it in their hands. */
async function toldAlso(
  ports: InquiryPorts,
  {
    inquiry,
    known,
    request,
  }: { readonly inquiry: InquiryRef; readonly known: Inquiry; readonly request: InquiryRequest },
): Promise<Inquiry | undefined> {
  if (known.outcome || !request.callback) return known
  const { inquiryId: _, outcome: __, ...asked } = known
  if (!(await putAsked(ports, inquiry, { ...asked, callback: request.callback }))) return undefined
  return readInquiry(ports, inquiry)
}

/** One that failed may be asked again by whoever wants it; one that waits is waited for. */
function isAskedAnew({ outcome }: Inquiry, { again }: InquiryRequest): boolean {
  return outcome?.status === 'failed' || (outcome !== undefined && again)
}

async function leaveRoom({ blobs }: InquiryPorts, run: RunRef): Promise<void> {
  const questions = (await inquiryIdsOf(blobs, run)).filter((id) => id.startsWith('question-'))
  const { questionsPerFile } = inquiryLimits
  if (questions.length < questionsPerFile) return
  throw terminal(
    'conflict',
    `This file has ${questionsPerFile} questions, which is the limit. Delete one that is not needed.`,
  )
}

function refOf({ owner, batchId, fileId, index }: RunRef): RunRef {
  return { owner, batchId, fileId, index }
}

function tooManyOpen(openMax: number): FailureError {
  return new FailureError({
    kind: 'retryable',
    code: 'quota_exceeded',
    detail: `You wait for ${openMax} summaries, chapters and answers, which is the limit; ask again when some are there.`,
    retryAfterSeconds: comeBackSeconds,
  })
}
