import { read } from './api.js'
import { batchSummary, live } from './batch-card.js'
import { batchForms, downloads } from './downloads.js'
import { element } from './element.js'
import { fileRow } from './file-row.js'
import { retryButton } from './retry.js'
import { say, sayAround } from './say.js'

const filesPerPage = 50

/** A batch of its own: all its files, page by page, and everything in one download. */
export async function batchView(signal, batchId) {
  const summary = batchSummary(batchId, 'h1')
  const rows = new Map()
  const list = element('ul', { class: 'rows' })
  const more = element('button', { type: 'button', hidden: true }, say('list.more'))
  const retryPlace = element('div', {})
  const goTo = (retriedAs) => (location.hash = `#/batch/${retriedAs}`)
  let page = 0
  const load = async () => {
    page += 1
    const { files, total_pages: pages } = await read(
      `/transcribe/results/batch/${batchId}?limit=${filesPerPage}&page=${page}`,
      { signal },
    )
    for (const file of files) {
      const row = fileRow(file, { onRetried: goTo })
      row.paint({ ...file, batch_id: batchId })
      rows.set(file.file_id, row)
      list.append(row.node)
    }
    more.hidden = page >= pages
  }
  more.addEventListener('click', () => void load())
  await load()
  const offerRetry = (status) => {
    if (status.retried_as !== undefined) return retryPlace.replaceChildren(retriedLink(status.retried_as))
    const isHopeless = more.hidden && ![...rows.values()].some((row) => row.canRetry())
    if (status.files_failed + status.files_partial > 0 && !isHopeless)
      retryPlace.replaceChildren(retryButton(batchId, goTo))
  }
  void live(batchId, { summary, rows, signal, onEnd: offerRetry })
  return element(
    'div',
    { class: 'batch' },
    element('p', { class: 'back' }, element('a', { href: '#/' }, say('frame.toRecordings'))),
    element('section', { class: 'card' }, summary.node, list, more),
    retryPlace,
    downloads({
      forms: batchForms,
      pathOf: (query) => `/transcribe/download/batch/${batchId}?${query}`,
      nameOf: (format) => `${batchId}.${format}`,
      query: () => ({}),
    }),
  )
}

function retriedLink(batchId) {
  const link = element('a', { href: `#/batch/${batchId}` }, say('batch.another'))
  return element('p', {}, ...sayAround('batch.triedAgain', { link }))
}
