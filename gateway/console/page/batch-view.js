import { read } from './api.js'
import { batchSummary, live } from './batch-card.js'
import { batchForms, downloads } from './downloads.js'
import { element } from './element.js'
import { fileRow } from './file-row.js'
import { retryButton } from './retry.js'
import { moreButton } from './more-button.js'
import { say, sayAround } from './say.js'

const filesPerPage = 50

/** A batch of its own: all its files, page by page, and everything in one download. */
export async function batchView(signal, batchId) {
  const summary = batchSummary(batchId, 'h1')
  const rows = new Map()
  const list = element('ul', { class: 'rows' })
  const retryPlace = element('div', {})
  const goTo = (retriedAs) => (location.hash = `#/batch/${retriedAs}`)
  let page = 0
  const load = async () => {
    const next = page + 1
    const { files, total_pages: pages } = await read(
      `/transcribe/results/batch/${batchId}?limit=${filesPerPage}&page=${next}`,
      { signal },
    )
    for (const file of files) {
      const row = fileRow(file, { onRetried: goTo })
      row.paint({ ...file, batch_id: batchId })
      rows.set(file.file_id, row)
      list.append(row.node)
    }
    page = next
    more.button.hidden = page >= pages
  }
  const more = moreButton(load)
  await load()
  const offerRetry = (status) => {
    if (status.retried_as !== undefined) return retryPlace.replaceChildren(retriedLink(status.retried_as))
    const isHopeless = more.button.hidden && ![...rows.values()].some((row) => row.canRetry())
    if (status.files_failed + status.files_partial > 0 && !isHopeless)
      retryPlace.replaceChildren(retryButton(batchId, goTo))
  }
  void live(batchId, { summary, rows, signal, onEnd: offerRetry })
  return element(
    'div',
    { class: 'batch' },
    element('p', { class: 'back' }, element('a', { href: '#/' }, say('frame.toRecordings'))),
    element('section', { class: 'card' }, summary.node, list, more.node),
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
