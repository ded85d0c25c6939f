import { read } from './api.js'
import { announce, element } from './element.js'
import { say } from './say.js'

/** Ends what of a batch is not done. Nothing is lost by a slip: what is done stays, and the rest may be tried again. */
export function cancelButton(batchId) {
  const button = element('button', { type: 'button', class: 'plain', hidden: true }, say('batch.cancel'))
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      const { files_cancelled: files } = await read(`/transcribe/batch/${batchId}/cancel`, { method: 'POST' })
      announce(say('batch.cancelled', { count: files }))
    } catch (error) {
      announce(error.message)
      button.title = error.message
      button.disabled = false
    }
  })
  return button
}
