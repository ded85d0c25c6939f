export type ByteRange =
  | { readonly type: 'whole' }
  | { readonly type: 'part'; readonly start: number; readonly end: number }
  | { readonly type: 'unsatisfiable' }

const oneRange = /^bytes=(\d{0,15})-(\d{0,15})$/
const whole: ByteRange = { type: 'whole' }

/**
 * What a `Range` header asks of so many bytes (RFC 9110, 14.2); `end` is exclusive. Several ranges at once, and what is not
 * a range of bytes, may be ignored, and are.
 */
export function byteRangeOf(header: string | undefined, sizeBytes: number): ByteRange {
  const [, first = '', last = ''] = oneRange.exec(header ?? '') ?? []
  if (first === '' && last === '') return whole
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last))
    return start < sizeBytes ? { type: 'part', start, end: sizeBytes } : { type: 'unsatisfiable' }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return whole
  if (start >= sizeBytes) return { type: 'unsatisfiable' }
  const end = last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1)
  return { type: 'part', start, end }
}
