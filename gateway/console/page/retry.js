import { read } from './api.js'
import { announce, element, notice } from './element.js'

/** What failed becomes a batch of its own, which `onRetried` is told. */
export function retryButton(batchId, onRetried) {
  const trouble = element('div', {})
  const button = element('button', { type: 'button', class: 'retry' }, 'Try failed parts again')
  button.addEventListener('click', async () => {
    button.disabled = true
    trouble.replaceChildren()
    try {
      const retried = await read(`/transcribe/batch/${batchId}/retry`, { method: 'POST' })
      announce('The failed parts are tried again.')
      onRetried(retried.batch_id)
    } catch (error) {
      trouble.replaceChildren(notice(error.message))
      button.disabled = false
    }
  })
  return element('div', { class: 'retrying' }, button, trouble)
}
