import { bearer, errorOf, networkError, read } from './api.js'
import { patiently, pause } from './patience.js'
import { say } from './say.js'
import { isUnknownHere, sendLarge } from './send-large.js'

const storedEveryMs = 500
/** From this size on a recording goes on where its connection broke off: what is smaller is soon sent again. */
const resumableFromBytes = 4 * 1024 * 1024

/**
 * One recording to the server, as often as it takes.
 * @returns {Promise<{ uploadId: string }>}
 */
export async function sendFile(file, sending) {
  const whole = () => patiently(() => sendForm(file, sending), sending.signal)
  if (file.size < resumableFromBytes) return whole()
  try {
    return await sendLarge(file, sending)
  } catch (error) {
    if (isUnknownHere(error)) return whole()
    throw withReason(error)
  }
}

/** `fetch` cannot tell how much of a body has left, so this is the old way. */
function sendForm(file, { key, signal, onProgress }) {
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
      resolve({ uploadId: JSON.parse(request.responseText).batch_upload_id })
    })
    request.addEventListener('error', () => reject(networkError()))
    request.addEventListener('abort', () => reject(signal.reason))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    const form = new FormData()
    form.append('files', file)
    request.send(form)
  })
}

function refusalOf(request) {
  return withReason(errorOf(request.status, request.responseText, request.getResponseHeader('Retry-After')))
}

/** Of a single file that is refused the reason is its own. */
function withReason(error) {
  const reason = error.body?.detail?.rejected_files?.[0]?.reason
  if (typeof reason === 'string') error.message = reason
  return error
}

/** Only what is in storage can be transcribed, by the key that it has there. */
export async function untilStored(uploadId, signal) {
  for (;;) {
    const { status, files } = await read(`/files/upload/${encodeURIComponent(uploadId)}`, { signal })
    if (status === 'completed') return files[0].gcs_key
    if (status !== 'accepted') throw new Error(files[0]?.error ?? say('sending.unstored'))
    await pause(storedEveryMs, signal)
  }
}
