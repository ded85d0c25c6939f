import { read } from './api.js'
import { batchSummary } from './batch-card.js'
import { element } from './element.js'
import { moreButton } from './more-button.js'
import { say } from './say.js'

const batchesPerPage = 25

/** All batches, newest first: also of recordings that were never uploaded, which no list of files has. */
export async function batchesView(signal) {
  const list = element('div', { class: 'list' })
  let cursor
  const load = async () => {
    const query = new URLSearchParams({ limit: batchesPerPage, ...(cursor && { cursor }) })
    const { batches, next_cursor: next } = await read(`/transcribe/batches?${query}`, { signal })
    cursor = next
    for (const batch of batches) {
      const summary = batchSummary(batch.batch_id)
      summary.paint(batch)
      list.append(element('section', { class: 'card', 'data-batch': batch.batch_id }, summary.node))
    }
    more.button.hidden = next === undefined
  }
  const more = moreButton(load)
  await load()
  const isNone = list.childElementCount === 0 && more.button.hidden
  return element(
    'div',
    { class: 'batches' },
    element('p', { class: 'back' }, element('a', { href: '#/' }, say('frame.toRecordings'))),
    element('h1', {}, say('frame.batches')),
    isNone ? element('p', { class: 'empty quiet' }, say('list.empty')) : list,
    more.node,
  )
}
