import { newKey, read } from './api.js'
import { patiently } from './patience.js'
import { say } from './say.js'
import { sendFile, untilStored } from './send-file.js'

/** What is on its way to the server. It goes on while people look at something else. */

const atOnce = 2

/** Tells `change` when a sending moved on, and `submitted` when one became a batch. */
export const news = new EventTarget()

/** @type {Set<Sending>} */
export const sendings = new Set()

/**
 * @typedef {{ name: string, sizeBytes: number, sent: number, state: 'waiting' | 'sending' | 'storing' | 'ready' | 'refused',
 *   error?: string, key?: string }} SentFile
 * @typedef {{ files: SentFile[], state: 'sending' | 'submitting' | 'submitted' | 'ended', error?: string,
 *   stop(): void, dismiss(): void }} Sending
 */

/** Uploads recordings one by one, so that each has its own progress and its own refusal, and submits them together, as `submission` says. */
export function send(files, submission) {
  const stopping = new AbortController()
  const sending = {
    files: files.map((file) => ({ name: file.name, sizeBytes: file.size, sent: 0, state: 'waiting' })),
    state: 'sending',
    stop: () => stopping.abort(new Error(say('sending.stopped'))),
    dismiss: () => leave(sending),
  }
  sendings.add(sending)
  changed()
  void run(sending, files, { submission, signal: stopping.signal })
}

async function run(sending, files, { submission, signal }) {
  const queue = [...files.keys()]
  const hand = async () => {
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) await one(sending.files[at], files[at], signal)
  }
  await Promise.all(Array.from({ length: atOnce }, hand))
  const sources = sending.files.flatMap(({ state, key }) => (state === 'ready' ? [{ gcs_key: key }] : []))
  try {
    if (sources.length > 0) await submit(sending, submission(sources), signal)
  } catch (error) {
    sending.error = error.message
  }
  sending.state = 'ended'
  const isSmooth = sending.error === undefined && sources.length === files.length
  if (isSmooth) leave(sending)
  else changed()
}

/** @param {SentFile} sent */
async function one(sent, file, signal) {
  const key = newKey()
  const onProgress = (part) => {
    sent.sent = part
    changed()
  }
  const move = (change) => {
    Object.assign(sent, change)
    changed()
  }
  try {
    signal.throwIfAborted()
    move({ state: 'sending' })
    const { uploadId } = await sendFile(file, { key, signal, onProgress })
    move({ state: 'storing', sent: 1 })
    move({ state: 'ready', key: await untilStored(uploadId, signal) })
  } catch (error) {
    move({ state: 'refused', error: error.message })
  }
}

async function submit(sending, json, signal) {
  sending.state = 'submitting'
  changed()
  const batch = await submitFiles(json, signal)
  sending.state = 'submitted'
  news.dispatchEvent(new CustomEvent('submitted', { detail: batch.batch_id }))
}

/** Also for files that are here already. */
export function submitFiles(json, signal) {
  const headers = { 'Idempotency-Key': newKey() }
  return patiently(() => read('/transcribe/batch', { method: 'POST', json, headers, signal }), signal)
}

function leave(sending) {
  sendings.delete(sending)
  changed()
}

function changed() {
  news.dispatchEvent(new Event('change'))
}

window.addEventListener('beforeunload', (event) => {
  if ([...sendings].some(({ state }) => state === 'sending' || state === 'submitting')) event.preventDefault()
})
