import { read } from './api.js'
import { element, notice } from './element.js'
import { failures } from './failures.js'
import { follow } from './follow.js'
import { clock, isOpen, madeAt, when } from './format.js'
import { aboutLine } from './metadata.js'
import { reading } from './reading-view.js'
import { say } from './say.js'
import { soFar } from './so-far.js'
import { fileMark } from './state-mark.js'

/** What was said in a recording: read, heard, searched, taken away. `at`: the second that somebody came for. */
export async function resultView(signal, fileId, at) {
  const [standing, file] = await Promise.all([
    read(`/transcribe/status/file/${fileId}`, { signal }).catch(notSubmitted),
    wholeResult(fileId, signal).catch(notSubmitted),
  ])
  const place = element('div', { class: 'result' })
  paint(place, { file, standing, signal, at: at === undefined ? undefined : Number(at) })
  return place
}

function notSubmitted(error) {
  if (error.status !== 404) throw error
  throw new Error(say('reading.noSuch'))
}

function paint(place, { file, standing, signal, at }) {
  const { file_id: fileId } = file
  document.title = `${file.filename} · Vaak`
  const written = soFar(() => resultOf(fileId, { chunks: 'true' }, signal), signal)
  const again = (batchId) =>
    void waitFor(place, { fileId, standing: { ...standing, batch_id: batchId }, signal, onPart: written.look })
  const readAgain = (more) => resultOf(fileId, more, signal)
  place.replaceChildren(
    element('p', { class: 'back' }, element('a', { href: '#/' }, say('frame.toRecordings'))),
    heading(file, standing),
    failures(file, { batchId: standing.batch_id, onRetried: again }),
    ...(file.result ? reading(file, { signal, at, readAgain }) : [progressNote(file), written.node]),
  )
  if (!isOpen(file.status)) return
  written.paint(file)
  again(standing.batch_id)
}

/** Shows how far it is, and the result as soon as there is one. */
async function waitFor(place, { fileId, standing, signal, onPart }) {
  const state = () => place.querySelector('.heading .state-place')
  const show = (progress) => state()?.replaceChildren(fileMark(progress))
  let isShown = false
  const finish = async () => {
    if (isShown || signal.aborted) return
    isShown = true
    paint(place, { file: await wholeResult(fileId, signal), standing, signal })
  }
  try {
    await follow(
      standing.batch_id,
      {
        status: () => undefined,
        file: (progress) => {
          if (progress.file_id !== fileId) return
          show(progress)
          if (isOpen(progress.status)) onPart()
          else void finish()
        },
        end: () => void finish(),
      },
      signal,
    )
  } catch (error) {
    if (!signal.aborted) place.append(notice(error.message))
  }
}

function wholeResult(fileId, signal) {
  return resultOf(fileId, { chunks: 'true', waveform: 'true' }, signal)
}

function resultOf(fileId, more, signal) {
  const query = new URLSearchParams({ speech_information: 'true', ...more })
  return read(`/transcribe/results/file/${fileId}?${query}`, { signal })
}

function heading(file, standing) {
  const seconds = file.result?.duration_seconds
  const about = aboutLine()
  about.paint(file)
  return element(
    'div',
    { class: 'heading' },
    element('h1', {}, file.filename),
    element(
      'p',
      { class: 'quiet' },
      element('span', { class: 'state-place' }, fileMark({ ...standing, status: file.status })),
      seconds !== undefined && ` · ${clock(seconds)}`,
      ` · ${when(madeAt(file.file_id))} · `,
      element('a', { href: `#/batch/${standing.batch_id}` }, say('reading.itsBatch')),
    ),
    about.node,
  )
}

function progressNote(file) {
  if (!isOpen(file.status)) return element('p', { class: 'empty quiet' }, say('reading.nothing'))
  return element('p', { class: 'empty quiet' }, say('reading.soon'))
}
