import { ask } from './api.js'

/**
 * The sound of a recording as an address that a player can use, or its size when that is beyond `maxBytes`. A player cannot
 * send a token, so the page fetches.
 * @returns {Promise<{ url: string } | { sizeBytes: number }>}
 */
export async function audioSource(path, { signal, onProgress, maxBytes }) {
  const response = await ask(path, { signal })
  const total = Number(response.headers.get('Content-Length') ?? 0)
  if (total > maxBytes) {
    await response.body.cancel()
    return { sizeBytes: total }
  }
  const chunks = []
  let received = 0
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    received += value.length
    onProgress(total > 0 ? received / total : undefined)
  }
  const url = URL.createObjectURL(new Blob(chunks, { type: response.headers.get('Content-Type') ?? '' }))
  signal.addEventListener('abort', () => URL.revokeObjectURL(url), { once: true })
  return { url }
}
