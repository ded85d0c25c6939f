import { randomBytes } from 'node:crypto'

/** Where something belongs, as the W3C has it (Trace Context). */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  /** Whether it is written down; decided once for all that belongs together. */
  readonly isFollowed: boolean
}

const form = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/
const followedFlag = 0x01

export function readTraceparent(text: string): TraceContext | undefined {
  const [, traceId, spanId, flags = ''] = form.exec(text) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, isFollowed: (Number.parseInt(flags, 16) & followedFlag) !== 0 }
}

export function writeTraceparent({ traceId, spanId, isFollowed }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isFollowed ? '01' : '00'}`
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex')
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

const shareDigits = 8

/** The same for everybody who asks about the same trace: each process may decide for itself. */
export function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-shareDigits), 16) < share * 16 ** shareDigits
}
