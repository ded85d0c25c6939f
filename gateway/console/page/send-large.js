import { ApiError, ask, bearer, errorOf, isPassing, networkError, read } from './api.js'
import { patiently } from './patience.js'

const place = '/files/resumable'
const version = { 'Tus-Resumable': '1.0.0' }
/** Too slow, no longer signed in, or elsewhere: asked again, the server says where to go on. */
const askAgain = new Set([401, 408, 409])
const inHand = new Set()

/**
 * One large recording by the tus protocol: it goes on where a connection broke off, or where another visit to this page did.
 * @returns {Promise<{ uploadId: string }>}
 */
export async function sendLarge(file, { signal, onProgress }) {
  const metadata = metadataOf(file)
  const id = (await alreadyBegun(file, { metadata, signal })) ?? (await begin(file, { metadata, signal }))
  inHand.add(id)
  try {
    signal.throwIfAborted()
    return await untilThere({ id, file, signal, onProgress })
  } catch (error) {
    // whoever stops it does not want it
    if (signal.aborted) void drop(id).catch(() => undefined)
    throw error
  } finally {
    inHand.delete(id)
  }
}

function drop(id) {
  return patiently(() => ask(`${place}/${id}`, { method: 'DELETE', headers: version }))
}

async function untilThere(sending) {
  const { id, signal } = sending
  let safeBytes = -1
  const attempt = async () => {
    for (;;) {
      // with the version, so that the server ends a request of ours that hangs
      const standing = await read(`${place}/${id}`, { headers: version, signal })
      if (standing.file_id) return { uploadId: standing.batch_upload_id }
      safeBytes = standing.received_bytes
      await sendFrom(safeBytes, sending)
    }
  }
  for (let before = -1; ;) {
    try {
      return await patiently(attempt, signal)
    } catch (error) {
      // as long as it gets on at all
      if (!isPassing(error) || safeBytes <= before) throw error
      before = safeBytes
    }
  }
}

/** `fetch` cannot tell how much of a body has left, so this is the old way. */
function sendFrom(startBytes, { id, file, signal, onProgress }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    signal.addEventListener('abort', stop, { once: true })
    request.open('PATCH', `${place}/${id}`)
    const piece = { 'Upload-Offset': String(startBytes), 'Content-Type': 'application/offset+octet-stream' }
    for (const [name, value] of Object.entries({ ...bearer(), ...version, ...piece }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress((startBytes + loaded) / file.size))
    request.addEventListener('load', () => {
      if (request.status === 204 || askAgain.has(request.status)) resolve()
      else reject(errorOf(request.status, request.responseText, request.getResponseHeader('Retry-After')))
    })
    request.addEventListener('error', () => reject(networkError()))
    request.addEventListener('abort', () => reject(signal.reason))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    request.send(file.slice(startBytes))
  })
}

async function alreadyBegun(file, { metadata, signal }) {
  const { uploads } = await patiently(() => read(place, { signal }), signal)
  for (const { resumable_upload_id: id, size_bytes: sizeBytes } of uploads) {
    if (sizeBytes !== file.size || inHand.has(id)) continue
    const { headers } = await ask(`${place}/${id}`, { signal })
    if (headers.get('Upload-Metadata') === metadata) return id
  }
  return undefined
}

/** Who stops it meanwhile waits for the answer: without the id nobody could take it away again. */
async function begin(file, { metadata, signal }) {
  const headers = { ...version, 'Upload-Length': String(file.size), 'Upload-Metadata': metadata }
  const answer = await patiently(() => ask(place, { method: 'POST', headers }), signal)
  return answer.headers.get('Location').split('/').at(-1)
}

/** The name, and what tells this recording from another of that name. */
function metadataOf({ name, size, lastModified }) {
  return `filename ${inBase64(name)},fingerprint ${inBase64(`${name} ${size} ${lastModified}`)}`
}

function inBase64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** A server of before has no such address. */
export function isUnknownHere(error) {
  return error instanceof ApiError && error.status === 404
}
