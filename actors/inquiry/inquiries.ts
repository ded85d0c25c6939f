import { createHash } from 'node:crypto'

import { FailureError, terminal } from '../failure.ts'
import { isInquiryId } from '../ids.ts'
import { openInquiryKey } from './keys.ts'
import type { InquiryId, InquiryRef, RunRef } from '../ids.ts'
import type { Clock, Outbox, Records } from '../ports.ts'
import type { RunState } from '../run/state.ts'
import { inquiryIdsOf, putAsked, readAsked, readOutcome, removeInquiry, removeOutcome } from './objects.ts'
import type { InquiryObjectPorts } from './objects.ts'
import type { Inquiries, InquiryRequest } from './ports.ts'
import type { InquiryWork } from './protocol.ts'
import { enqueueInquiry } from './queue.ts'
import { inquiryLimits } from './state.ts'
import type { AskedInquiry, Inquiry, OpenInquiry } from './state.ts'

interface InquiryPorts extends InquiryObjectPorts {
  /** One entry for each that is not settled: where its message was lost it is found. */
  readonly openInquiries: Records<OpenInquiry>
  readonly inquiryQueue: Outbox<InquiryWork>
  readonly clock: Pick<Clock, 'nowMs'>
}

interface InquiryOptions {
  /** Of one user, on all files together. */
  readonly openMax: number
}

/** How soon somebody who has asked too much may come back. */
const comeBackSeconds = 30
const hashDigits = 16

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

/** The entry comes first: whatever a crash keeps from happening after it is found through it (I7). */
async function ask(
  ports: InquiryPorts,
  { openMax }: InquiryOptions,
  { run, request }: { readonly run: RunState; readonly request: InquiryRequest },
): Promise<Inquiry | undefined> {
  const { blobs, openInquiries: open } = ports
  const inquiry: InquiryRef = { ...refOf(run), inquiryId: inquiryIdOf(request) }
  const known = await readInquiry(ports, inquiry)
  if (known && !isAskedAnew(known, request)) return known
  if (!known && request.kind === 'question') await leaveRoom(ports, run)
  const ahead = (await open.readUnder(run.owner)).size
  if (ahead >= openMax) throw tooManyOpen(openMax)
  const askedAtMs = ports.clock.nowMs()
  await open.create(openInquiryKey(inquiry), { ...inquiry, askedAtMs })
  await removeOutcome(blobs, inquiry)
  const { kind, question } = request
  const asked: AskedInquiry = { kind, ...(question !== undefined && { question }), askedAtMs }
  if (!(await putAsked(ports, inquiry, asked))) {
    await open.erase(openInquiryKey(inquiry))
    return undefined
  }
  await enqueueInquiry(ports.inquiryQueue, { ...inquiry, attempt: 1 }, { which: askedAtMs, ahead })
  return { ...asked, inquiryId: inquiry.inquiryId }
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

async function readInquiry({ blobs }: InquiryPorts, inquiry: InquiryRef): Promise<Inquiry | undefined> {
  const asked = await readAsked(blobs, inquiry)
  if (!asked) return undefined
  const outcome = await readOutcome(blobs, inquiry)
  return { ...asked, inquiryId: inquiry.inquiryId, ...(outcome && { outcome }) }
}

function inquiryIdOf({ kind, question = '' }: InquiryRequest): InquiryId {
  const hash = createHash('sha256').update(question).digest('hex').slice(0, hashDigits)
  const id = kind === 'question' ? `question-${hash}` : kind
  if (!isInquiryId(id)) throw new Error('an inquiry has no id')
  return id
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
