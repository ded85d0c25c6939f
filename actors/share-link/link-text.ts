import { isBatchId, isFileId } from '../ids.ts'
import type { BatchId, FileId } from '../ids.ts'

/** What a link says: what it shows, which one it is, and the secret that proves it. */
interface LinkParts {
  readonly fileId: FileId
  readonly batchId: BatchId
  readonly linkId: string
  readonly secret: Buffer
}

const prefix = 'share_'
const uuidBytes = 16
const linkIdBytes = 8
const secretBytes = 32
const allBytes = 2 * uuidBytes + linkIdBytes + secretBytes
const form = /^share_[A-Za-z0-9_-]{96}$/

export function shareLinkText({ fileId, batchId, linkId, secret }: LinkParts): string {
  const bytes = Buffer.concat([uuidIn(fileId), uuidIn(batchId), Buffer.from(linkId, 'hex'), secret])
  return prefix + bytes.toString('base64url')
}

export function readShareLinkText(text: string): LinkParts | undefined {
  if (!form.test(text)) return undefined
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url')
  if (bytes.length !== allBytes) return undefined
  const [fileId, batchId] = [uuidAt(bytes, 0), uuidAt(bytes, uuidBytes)]
  if (!isFileId(fileId) || !isBatchId(batchId)) return undefined
  const from = 2 * uuidBytes
  const linkId = bytes.toString('hex', from, from + linkIdBytes)
  return { fileId, batchId, linkId, secret: bytes.subarray(from + linkIdBytes) }
}

function uuidIn(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function uuidAt(bytes: Buffer, at: number): string {
  const digits = bytes.toString('hex', at, at + uuidBytes)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
