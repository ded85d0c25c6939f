import { isInquiryId, runKey } from '../ids.ts'
import { inquiriesFolder, inquiryPartKey } from './keys.ts'
import type { InquiryId, InquiryRef, RunRef } from '../ids.ts'
import type { Blobs, BlobSource, Records } from '../ports.ts'
import { hasWords } from '../run/state.ts'
import type { RunState } from '../run/state.ts'
import { readStoredJson } from '../stored-json.ts'
import type { AskedInquiry, InquiryOutcome } from './state.ts'

/** Inquiries as objects beside their transcript: they go when it does, whoever removes it. */

export interface InquiryObjectPorts {
  readonly runs: Pick<Records<RunState>, 'read'>
  readonly blobs: Pick<Blobs, 'open' | 'put' | 'list' | 'remove' | 'removeAll'>
}

type InquiryBlobs = InquiryObjectPorts['blobs']

export function readAsked(blobs: InquiryBlobs, inquiry: InquiryRef): Promise<AskedInquiry | undefined> {
  return readStoredJson(blobs, inquiryPartKey(inquiry, 'asked'))
}

export function readOutcome(blobs: InquiryBlobs, inquiry: InquiryRef): Promise<InquiryOutcome | undefined> {
  return readStoredJson(blobs, inquiryPartKey(inquiry, 'outcome'))
}

/** False when the transcript was deleted meanwhile: then nothing is left of it (I12). */
export async function putAsked(ports: InquiryObjectPorts, inquiry: InquiryRef, asked: AskedInquiry): Promise<boolean> {
  await ports.blobs.put(inquiryPartKey(inquiry, 'asked'), inJson(asked))
  return isStillThere(ports, inquiry)
}

/** The first outcome counts. One that comes after the deletion, of the inquiry or of its transcript, is cleared away. */
export async function putOutcome(
  ports: InquiryObjectPorts,
  inquiry: InquiryRef,
  outcome: InquiryOutcome,
): Promise<void> {
  await ports.blobs.put(inquiryPartKey(inquiry, 'outcome'), inJson(outcome), { ifAbsent: true })
  if (!(await isStillThere(ports, inquiry))) return
  if (!(await readAsked(ports.blobs, inquiry))) await removeOutcome(ports.blobs, inquiry)
}

export async function removeOutcome(blobs: InquiryBlobs, inquiry: InquiryRef): Promise<void> {
  await blobs.remove(inquiryPartKey(inquiry, 'outcome'))
}

/** What was asked goes first: who brings an outcome later finds nobody who asked for it. */
export async function removeInquiry(blobs: InquiryBlobs, inquiry: InquiryRef): Promise<boolean> {
  const wasThere = await blobs.remove(inquiryPartKey(inquiry, 'asked'))
  await removeOutcome(blobs, inquiry)
  return wasThere
}

export async function inquiryIdsOf(blobs: InquiryBlobs, run: RunRef): Promise<InquiryId[]> {
  const folder = inquiriesFolder(run)
  const ids = new Set<InquiryId>()
  for await (const { key } of blobs.list(folder)) {
    const [inquiryId = '', part] = key.slice(folder.length).split('/')
    if (part === 'asked' && isInquiryId(inquiryId)) ids.add(inquiryId)
  }
  return [...ids]
}

async function isStillThere({ runs, blobs }: InquiryObjectPorts, inquiry: InquiryRef): Promise<boolean> {
  if (hasWords((await runs.read(runKey(inquiry)))?.value)) return true
  await blobs.removeAll(inquiriesFolder(inquiry))
  return false
}

function inJson(value: object): BlobSource {
  return { bytes: Buffer.from(JSON.stringify(value)) }
}
