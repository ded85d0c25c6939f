import { hasRoute, read } from './api.js'
import { announce, element, notice } from './element.js'

const path = '/transcribe/batch/{batch_id}/retry'

/** Only where the server can: the button, or nothing. What failed becomes a batch of its own, which `onRetried` is told. */
export async function retryButton(batchId, onRetried) {
  if (!(await hasRoute('post', path))) return ''
  const trouble = element('div', {})
  const button = element('button', { type: 'button', class: 'retry' }, 'Try failed parts again')
  button.addEventListener('click', async () => {
    button.disabled = true
    trouble.replaceChildren()
    try {
      const retried = await read(path.replace('{batch_id}', batchId), { method: 'POST' })
      announce('The failed parts are tried again.')
      onRetried(retried.batch_id)
    } catch (error) {
      trouble.replaceChildren(notice(error.message))
      button.disabled = false
    }
  })
  return element('div', { class: 'retrying' }, button, trouble)
}
