import { ask } from './api.js'

/**
 * The sound of a recording as an address that a player can use. A player cannot send a token, so the page fetches.
 * @param {(part: number | undefined) => void} onProgress
 */
export async function audioSource(fileId, { signal, onProgress }) {
  const response = await ask(`/files/${fileId}/audio`, { signal })
  const total = Number(response.headers.get('Content-Length') ?? 0)
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
  return url
}
