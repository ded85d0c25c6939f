/** What a child of ours says to its parent: one byte of kind, four bytes of length and the payload. */
export interface ChildMessage {
  readonly kind: number
  readonly payload: Buffer
}

const headerBytes = 5
/** Nothing that is longer than this was meant to be a message. */
const maxPayloadBytes = 4 * 1024 * 1024

/** For the child. Resolves when the parent has room again: this is what keeps a long answer out of memory on both sides. */
export function sendMessage(kind: number, payload: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(encodeMessage(kind, payload), (error) => (error ? reject(error) : resolve()))
  })
}

export function encodeMessage(kind: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt8(kind, 0)
  header.writeUInt32LE(payload.length, 1)
  return Buffer.concat([header, payload])
}

/**
 * Messages out of a byte stream that is cut anywhere. Pulling one at a time is what holds the sender back. A payload has
 * memory of its own and begins at its first byte, so that samples can be used where they lie.
 */
export async function* readMessages(stream: AsyncIterable<Buffer>): AsyncGenerator<ChildMessage, void> {
  const header = Buffer.alloc(headerBytes)
  let payload: Buffer | undefined
  let filled = 0
  for await (const piece of stream)
    for (let at = 0; at < piece.length;) {
      const copied = piece.copy(payload ?? header, filled, at)
      at += copied
      filled += copied
      if (!payload && filled === headerBytes) {
        payload = Buffer.allocUnsafeSlow(lengthIn(header))
        filled = 0
      }
      if (filled !== payload?.length) continue
      yield { kind: header.readUInt8(0), payload }
      payload = undefined
      filled = 0
    }
}

function lengthIn(header: Buffer): number {
  const length = header.readUInt32LE(1)
  if (length > maxPayloadBytes) throw new Error(`a message of ${length} bytes is not one of a child of ours`)
  return length
}
