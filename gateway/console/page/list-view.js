import { read } from './api.js'
import { batchCard } from './batch-card.js'
import { dropZone } from './drop-zone.js'
import { announce, element, notice } from './element.js'
import { findBox } from './find-box.js'
import { fileRow } from './file-row.js'
import { count } from './format.js'
import { transcriptionOptions } from './options.js'
import { news, send, submitFiles } from './sendings.js'
import { sendingsPanel } from './sendings-panel.js'
import { selection } from './selection.js'

const filesPerPage = 25

/** The first page: put recordings in, see what became of those that are there. */
export async function listView(signal) {
  const options = transcriptionOptions()
  const list = element('div', { class: 'list' })
  const onFiles = (files) => {
    announce(`${count(files.length, 'recording')} on the way.`)
    send(files, options.value())
  }
  let page = 1
  let painting = new AbortController()
  const selected = selection(() => void refresh())
  const refresh = async () => {
    painting.abort()
    painting = new AbortController()
    signal.addEventListener('abort', () => painting.abort(), { once: true, signal: painting.signal })
    const shown = painting.signal
    try {
      const { files, total_pages: pages } = await read(`/files?limit=${filesPerPage}&page=${page}`, { signal: shown })
      const groups = await grouped(files, shown)
      selected.show(files)
      const turn = (to) => () => {
        page = to
        void refresh()
      }
      list.replaceChildren(
        ...(groups.length === 0
          ? [nothingYet()]
          : groups.map((group) => card(group, { options, refresh, selected, signal: shown }))),
        pager(page, pages, turn),
      )
    } catch (error) {
      if (shown.aborted) return
      if (error.status === 401) throw error
      list.replaceChildren(notice(error.message))
    }
  }
  news.addEventListener(
    'submitted',
    () => {
      announce('Submitted. The list shows how far it is.')
      page = 1
      void refresh()
    },
    { signal },
  )
  await refresh()
  return element(
    'div',
    { class: 'home' },
    element('h1', { class: 'unseen' }, 'Recordings'),
    element('div', { class: 'intake' }, dropZone(onFiles, signal), options.node),
    sendingsPanel(signal),
    findBox(),
    selected.node,
    list,
  )
}

/** Files in their order, those of one batch together. What was never submitted has no batch. */
async function grouped(files, signal) {
  const statuses = await Promise.all(files.map((file) => statusOf(file, signal)))
  const groups = new Map()
  for (const [at, file] of files.entries()) {
    const progress = statuses[at]
    const group = groups.get(progress.batch_id) ?? { batchId: progress.batch_id, files: [] }
    group.files.push({ file, progress })
    groups.set(progress.batch_id, group)
  }
  return [...groups.values()]
}

async function statusOf(file, signal) {
  try {
    return await read(`/transcribe/status/file/${file.file_id}`, { signal })
  } catch (error) {
    if (error.status !== 404) throw error
    const { upload_status: status, error: reason } = file
    return { error: reason, status: status === 'completed' ? 'none' : status === 'failed' ? 'unstored' : status }
  }
}

function card(group, { options, refresh, selected, signal }) {
  return group.batchId === undefined
    ? unsubmitted(group, { options, refresh, selected })
    : batchCard(group, { refresh, selected, signal })
}

function unsubmitted({ files }, { options, refresh, selected }) {
  const rows = files.map(({ file, progress }) => {
    const row = fileRow(file, { onDeleted: refresh, box: selected.boxFor(file) })
    row.paint(progress)
    return row.node
  })
  const ready = files.filter(({ progress }) => progress.status === 'none').map(({ file }) => file.file_id)
  const trouble = element('div', {})
  const submit = async () => {
    try {
      await submitFiles({ ...options.value(), file_ids: ready })
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
      element('h2', {}, 'Uploaded, not transcribed'),
      ready.length > 0 && element('button', { type: 'button', onclick: submit }, 'Transcribe'),
    ),
    element('ul', { class: 'rows' }, ...rows),
    trouble,
  )
}

function nothingYet() {
  return element(
    'p',
    { class: 'empty quiet' },
    'Nothing here yet. Your recordings will be listed in this place, the newest first.',
  )
}

function pager(page, pages, turn) {
  if (pages <= 1) return ''
  return element(
    'nav',
    { class: 'pager', 'aria-label': 'Pages' },
    element('button', { type: 'button', disabled: page <= 1, onclick: turn(page - 1) }, 'Newer'),
    element('span', { class: 'quiet' }, `Page ${page} of ${pages}`),
    element('button', { type: 'button', disabled: page >= pages, onclick: turn(page + 1) }, 'Older'),
  )
}
