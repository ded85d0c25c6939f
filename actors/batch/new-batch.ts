import type { OpenWork } from './estimate.ts'
import { membersKey, membersPerPage } from './state.ts'
import type { BatchOrder } from './protocol.ts'
import type { BatchState, Members, OpenBatch } from './state.ts'
import { untouched } from './untouched.ts'
import { pagesByStretch } from './waiting.ts'

/** What is stored of a submission, and what it comes to. */

export function openOf({ owner, batchId, members, settings, questions }: BatchOrder): OpenBatch {
  const stretches = [...pagesByStretch(members).keys()]
  return {
    owner,
    batchId,
    stretches,
    ...(settings.vocabulary && { hasVocabulary: true }),
    ...(questions && { hasQuestions: true }),
  }
}

export function workOf({ owner, batchId, members }: BatchOrder): OpenWork {
  const seconds = members.reduce((sum, { estimatedSeconds }) => sum + estimatedSeconds, 0)
  return { owner, batchId, files: members.length, seconds }
}

/** More of them would be a large part of its record, which is written again and again. */
const stretchesInRecord = 4

interface NewBatch {
  readonly atMs: number
  readonly seconds: number
  readonly ahead: number
  readonly isUnmetered: boolean
}

export function newBatch(order: BatchOrder, input: NewBatch): BatchState {
  const { batchId, owner, name, metadata, settings, fingerprint, callbackUrl, callbackHeaders, retain, retryOf } = order
  const { stretches = [] } = openOf(order)
  return {
    batchId,
    owner,
    ...(name !== undefined && { name }),
    ...(metadata && { metadata }),
    settings,
    acceptedAtMs: input.atMs,
    total: order.members.length,
    estimatedSeconds: input.seconds,
    ...untouched,
    // whatever the window is, its turn has come
    ...(order.members.length === 1 && { issued: 1 }),
    ...(input.isUnmetered && { isUnmetered: true }),
    ...(stretches.length <= stretchesInRecord && { stretches }),
    ...(input.ahead > 0 && { ahead: input.ahead }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...(callbackHeaders && { callbackHeaders }),
    ...(retain !== undefined && { retain }),
    ...(retryOf !== undefined && { retryOf }),
  }
}

export function pagesOf({ batchId, members }: BatchOrder): (readonly [string, Members])[] {
  return Array.from({ length: Math.ceil(members.length / membersPerPage) }, (_, page) => {
    const from = page * membersPerPage
    return [membersKey(batchId, from), { files: members.slice(from, from + membersPerPage) }] as const
  })
}
