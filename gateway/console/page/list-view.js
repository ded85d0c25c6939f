import { batchCard, live } from './batch-card.js'
import { dropZone } from './drop-zone.js'
import { announce, element, notice } from './element.js'
import { findBox } from './find-box.js'
import { fileRow } from './file-row.js'
import { isOpen } from './format.js'
import { fromTheWeb } from './from-the-web.js'
import { listFilters } from './list-filters.js'
import { filesPage } from './list-pages.js'
import { transcriptionOptions } from './options.js'
import { say } from './say.js'
import { news, send, submitFiles } from './sendings.js'
import { sendingsPanel } from './sendings-panel.js'
import { selection } from './selection.js'

/** Batches of a filtered list that are followed at the same time. */
const followedMax = 10

/** The first page: put recordings in, see what became of those that are there. */
export async function listView(signal) {
  const options = transcriptionOptions()
  const list = element('div', { class: 'list' })
  const onFiles = (files) => {
    if (!options.isGood()) return
    announce(say('list.onTheWay', { count: files.length }))
    send(files, options.submission())
  }
  // where the pages before this one begin, and this one
  let places = [undefined]
  let painting = new AbortController()
  const selected = selection(() => void refresh())
  const go = (to) => {
    places = to
    void refresh()
  }
  // only who asks for other recordings is told how many they are: it would take the place of what was done to them
  let isAsked = false
  const filters = listFilters(() => {
    isAsked = true
    go([undefined])
  })
  const refresh = async () => {
    painting.abort()
    painting = new AbortController()
    signal.addEventListener('abort', () => painting.abort(), { once: true, signal: painting.signal })
    const shown = painting.signal
    const wanted = { query: filters.query(), order: filters.order(), isFiltered: filters.isFiltered() }
    try {
      const { files, next } = await filesPage(wanted, { cursor: places.at(-1), signal: shown })
      selected.show(files)
      if (isAsked && isFlat(wanted)) announce(say('list.shown', { count: files.length }))
      isAsked = false
      const parts = { options, refresh, selected, signal: shown }
      list.replaceChildren(...contentOf(files, wanted, parts), pager({ places, next, go }))
    } catch (error) {
      if (shown.aborted) return
      if (error.status === 401) throw error
      list.replaceChildren(notice(error.message))
    }
  }
  const onSubmitted = () => {
    announce(say('list.submitted'))
    go([undefined])
  }
  news.addEventListener('submitted', onSubmitted, { signal })
  await refresh()
  return element(
    'div',
    { class: 'home' },
    element('h1', { class: 'unseen' }, say('list.title')),
    element('div', { class: 'intake' }, dropZone(onFiles, signal), fromTheWeb(options), options.node),
    sendingsPanel(signal),
    findBox(),
    filters.node,
    selected.node,
    list,
  )
}

function contentOf(files, wanted, parts) {
  if (files.length === 0) return [nothing(wanted.isFiltered)]
  return isFlat(wanted) ? [flat(files, parts)] : cards(files, parts)
}

/** Without the batches that they are of. */
function isFlat({ isFiltered, order }) {
  return isFiltered || order !== undefined
}

/** Files in their order, those of one batch together. What was never submitted has no batch. */
function cards(files, parts) {
  const groups = new Map()
  for (const file of files) {
    const progress = progressOf(file)
    const group = groups.get(progress.batch_id) ?? { batchId: progress.batch_id, files: [] }
    group.files.push({ file, progress })
    groups.set(progress.batch_id, group)
  }
  return [...groups.values()].map((group) =>
    group.batchId === undefined ? unsubmitted(group, parts) : batchCard(group, parts),
  )
}

/** In the order that was asked for, whichever batches they are of. */
function flat(files, { refresh, selected, signal }) {
  const rows = new Map()
  const open = new Set()
  for (const file of files) {
    const progress = progressOf(file)
    const row = fileRow(file, { onDeleted: refresh, onRetried: refresh, selected })
    row.paint(progress)
    rows.set(file.file_id, row)
    if (isOpen(progress.status)) open.add(progress.batch_id)
  }
  const unseen = { paint: () => undefined }
  for (const batchId of [...open].slice(0, followedMax)) void live(batchId, { summary: unseen, rows, signal })
  return element(
    'section',
    { class: 'card', 'aria-label': say('list.found') },
    element('ul', { class: 'rows' }, ...[...rows.values()].map((row) => row.node)),
  )
}

/** How far its newest transcription is, or, without one, it itself. */
function progressOf({ transcription, upload_status: status, error }) {
  if (transcription) return transcription
  return { error, status: status === 'completed' ? 'none' : status === 'failed' ? 'unstored' : status }
}

function unsubmitted({ files }, { options, refresh, selected }) {
  const rows = files.map(({ file, progress }) => {
    const row = fileRow(file, { onDeleted: refresh, selected })
    row.paint(progress)
    return row.node
  })
  const ready = files
    .filter(({ progress }) => progress.status === 'none')
    .map(({ file }) => ({ gcs_key: file.gcs_key }))
  const trouble = element('div', {})
  const submit = async () => {
    if (!options.isGood()) return
    try {
      await submitFiles(options.submission()(ready))
      await refresh()
    } catch (error) {
      trouble.replaceChildren(notice(error.message))
    }
  }
  return element(
    'section',
    { class: 'card' },
    element(
      'div',
      { class: 'card-head' },
      element('h2', {}, say('list.unsubmitted')),
      ready.length > 0 && element('button', { type: 'button', onclick: submit }, say('list.transcribe')),
    ),
    element('ul', { class: 'rows' }, ...rows),
    trouble,
  )
}

function nothing(isFiltered) {
  return element('p', { class: 'empty quiet' }, say(isFiltered ? 'list.noMatch' : 'list.empty'))
}

function pager({ places, next, go }) {
  const [isFirst, isLast] = [places.length === 1, next === undefined]
  if (isFirst && isLast) return ''
  const step = (text, to, disabled) => element('button', { type: 'button', disabled, onclick: () => go(to) }, say(text))
  return element(
    'nav',
    { class: 'pager', 'aria-label': say('list.pages') },
    step('list.newer', places.slice(0, -1), isFirst),
    step('list.older', [...places, next], isLast),
  )
}
