/** All that a stream has. What comes in one piece is not copied: Node's own `buffer` copies everything twice, by way of a Blob. */
export async function wholeBytes(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  const [first] = pieces
  if (!first || pieces.length > 1) return Buffer.concat(pieces)
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength)
}
