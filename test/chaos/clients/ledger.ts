import type { History } from '../history.ts'
import type { ChaosRecording } from './recordings.ts'

/** What clients were promised, and what they were shown. Whatever contradicts what was shown before is complained about. */
export interface Ledger {
  readonly uploads: ReadonlyMap<string, PromisedUpload>
  readonly batches: ReadonlyMap<string, PromisedBatch>
  readonly files: ReadonlyMap<string, PromisedFile>
  /** Keys under which something was sent, answered or not. */
  readonly keys: ReadonlySet<string>
  sent(key: string): void
  /** Of these keys, how many have an answer. */
  answered(): number
  uploaded(input: { user: string; key: string; uploadId: string; files: ReadonlyMap<string, ChaosRecording> }): void
  submitted(input: { user: string; key: string; batchId: string; fileIds: readonly string[] }): void
  /** From here on a reader may or may not see it. */
  deleting(fileId: string): void
  deleted(fileId: string): void
  sawBatch(batchId: string, status: string): void
  sawFile(batchId: string, shown: ShownFile): void
}

interface PromisedUpload {
  readonly user: string
  readonly uploadId: string
}

interface PromisedBatch {
  readonly user: string
  readonly batchId: string
  readonly fileIds: readonly string[]
  /** The terminal status that a client has seen. */
  ended?: string
}

export interface PromisedFile {
  readonly user: string
  readonly uploadId: string
  readonly recording: ChaosRecording
  life: 'there' | 'deleting' | 'deleted'
  /** By batch: how it ended, and what each chunk said when it was done. */
  readonly endings: Map<string, string>
  readonly heard: Map<string, string>
}

// oxlint-disable-next-line typescript/no-explicit-any -- fields are read as they are documented
export type ShownFile = any

export const ended = new Set(['completed', 'partial', 'failed'])

export function createLedger(history: History): Ledger {
  const uploads = new Map<string, PromisedUpload>()
  const batches = new Map<string, PromisedBatch>()
  const files = new Map<string, PromisedFile>()
  const keys = new Set<string>()
  const ids = new Map<string, string>()

  const same = (key: string, id: string): void => {
    const first = ids.get(key) ?? id
    ids.set(key, first)
    if (first !== id) history.complain('once', `the key ${key} gave ${first} and then ${id}`)
  }
  const live = (fileId: string, life: PromisedFile['life']): void => {
    const file = files.get(fileId)
    if (file) file.life = life
  }
  return {
    uploads,
    batches,
    files,
    keys,
    sent: (key) => void keys.add(key),
    answered: () => ids.size,
    uploaded({ user, key, uploadId, files: promised }) {
      same(key, uploadId)
      uploads.set(uploadId, { user, uploadId })
      for (const [fileId, recording] of promised)
        if (!files.has(fileId))
          files.set(fileId, { user, uploadId, recording, life: 'there', endings: new Map(), heard: new Map() })
    },
    submitted({ user, key, batchId, fileIds }) {
      same(key, batchId)
      if (!batches.has(batchId)) batches.set(batchId, { user, batchId, fileIds })
    },
    deleting: (fileId) => live(fileId, 'deleting'),
    deleted: (fileId) => live(fileId, 'deleted'),
    sawBatch(batchId, status) {
      const batch = batches.get(batchId)
      if (!batch) return
      // what is deleted is no longer counted, and that may change how a batch ended
      const isWhole = batch.fileIds.every((fileId) => files.get(fileId)?.life === 'there')
      if (isWhole && batch.ended !== undefined && batch.ended !== status)
        history.complain('final', `batch ${batchId} was ${batch.ended} and then ${status}`)
      if (ended.has(status)) batch.ended = status
    },
    sawFile(batchId, shown) {
      const file = files.get(shown.file_id)
      if (file?.life === 'there') compare(history, file, { batchId, shown })
    },
  }
}

function compare(history: History, file: PromisedFile, input: { batchId: string; shown: ShownFile }): void {
  const { batchId, shown } = input
  const text = JSON.stringify([shown.status, shown.result?.text])
  const before = file.endings.get(batchId)
  if (before !== undefined && before !== text)
    history.complain('final', `file ${shown.file_id} was ${before} and then ${text}`)
  if (ended.has(shown.status)) file.endings.set(batchId, text)
  for (const chunk of shown.chunk_results ?? []) {
    if (chunk.text === undefined) continue
    const name = `${batchId}.${chunk.chunk_index}`
    const first = file.heard.get(name) ?? chunk.text
    file.heard.set(name, first)
    if (first !== chunk.text)
      history.complain(
        'results',
        `chunk ${chunk.chunk_id} said ${JSON.stringify(first)} and then ${JSON.stringify(chunk.text)}`,
      )
  }
}
