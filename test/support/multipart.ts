/** Multipart bodies as bytes, for what FormData would not write. */
export const multipartBoundary = 'a-boundary-of-the-tests'
export const multipartType = `multipart/form-data; boundary=${multipartBoundary}`

export interface RawPart {
  /** As it stands in the header, already quoted and escaped. */
  readonly disposition?: string
  readonly headers?: readonly string[]
  readonly content?: Uint8Array | string
}

export function aMultipart(...parts: readonly RawPart[]): Buffer {
  return Buffer.concat([...parts.map(aPart), Buffer.from(`--${multipartBoundary}--\r\n`)])
}

export function aPart(part: RawPart): Buffer {
  const { disposition = 'form-data; name="files"; filename="speech.wav"', headers = [], content = '' } = part
  const lines = [`--${multipartBoundary}`, `Content-Disposition: ${disposition}`, ...headers, '', '']
  return Buffer.concat([Buffer.from(lines.join('\r\n')), Buffer.from(content), Buffer.from('\r\n')])
}
