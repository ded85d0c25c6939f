const eventMaxCharacters = 1_000_000

/** The `data:` of each server-sent event of a body, as it comes. */
export async function* dataOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8')
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > eventMaxCharacters) throw new RangeError('a server-sent event is too long')
    const lines = text.split(/\r?\n/)
    text = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data:')) yield line.slice('data:'.length).trim()
  }
  if (text.startsWith('data:')) yield text.slice('data:'.length).trim()
}
