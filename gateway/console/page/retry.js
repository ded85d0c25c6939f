import { read } from './api.js'
import { announce, element, notice } from './element.js'
import { say } from './say.js'

/** What failed in a batch becomes a batch of its own, which `onRetried` is told. */
export function retryButton(batchId, onRetried) {
  return button(say('retry.failedParts'), async () => onRetried((await retry(batchId)).batch_id))
}

/**
 * The same for some of its files.
 * @param {string} batchId
 * @param {{ fileIds: () => string[], onRetried: (batchId: string) => void, label?: string }} given
 */
export function retryFilesButton(batchId, { fileIds, onRetried, label }) {
  const run = async () => onRetried((await retryFiles(batchId, fileIds())).batch_id)
  return button(say('retry.again'), run, label)
}

function retry(batchId) {
  return read(`/transcribe/batch/${batchId}/retry`, { method: 'POST' })
}

export function retryFiles(batchId, fileIds) {
  return read(`/transcribe/batch/${batchId}/retry_files`, { method: 'POST', json: { file_ids: fileIds } })
}

function button(text, run, label) {
  const trouble = element('div', {})
  const node = element('button', { type: 'button', class: 'retry', 'aria-label': label }, text)
  node.addEventListener('click', async () => {
    node.disabled = true
    trouble.replaceChildren()
    try {
      await run()
      announce(say('retry.begun'))
    } catch (error) {
      trouble.replaceChildren(notice(error.message))
      node.disabled = false
    }
  })
  return element('div', { class: 'retrying' }, node, trouble)
}
