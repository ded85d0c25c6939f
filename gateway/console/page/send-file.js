import { bearer, errorOf, networkError, read } from './api.js'
import { pause } from './patience.js'
import { say } from './say.js'

const storedEveryMs = 500

/**
 * One recording to the server. `fetch` cannot tell how much of a body has left, so this is the old way.
 * @returns {Promise<{ uploadId: string, fileId: string }>}
 */
export function sendFile(file, { key, signal, onProgress }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    signal.addEventListener('abort', stop, { once: true })
    request.open('POST', '/files/upload')
    for (const [name, value] of Object.entries({ ...bearer(), 'Idempotency-Key': key }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => {
      if (request.status !== 202) return reject(refusalOf(request))
      const { batch_upload_id: uploadId, files } = JSON.parse(request.responseText)
      resolve({ uploadId, fileId: files[0].file_id })
    })
    request.addEventListener('error', () => reject(networkError()))
    request.addEventListener('abort', () => reject(signal.reason))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    const form = new FormData()
    form.append('files', file)
    request.send(form)
  })
}

/** Of a single file that is refused the reason is its own. */
function refusalOf(request) {
  const error = errorOf(request.status, request.responseText, request.getResponseHeader('Retry-After'))
  const reason = error.body?.detail?.rejected_files?.[0]?.reason
  if (typeof reason === 'string') error.message = reason
  return error
}

/** Only what is in storage can be transcribed. */
export async function untilStored(uploadId, signal) {
  for (;;) {
    const { status, files } = await read(`/files/upload/${encodeURIComponent(uploadId)}`, { signal })
    if (status === 'completed') return
    if (status !== 'accepted') throw new Error(files[0]?.error ?? say('sending.unstored'))
    await pause(storedEveryMs, signal)
  }
}
