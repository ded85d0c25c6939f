import { ask } from './api.js'
import { announce, element } from './element.js'
import { say } from './say.js'

/**
 * Deletes recordings with their transcripts. Asks once more in its own place, so that nothing is lost by a slip.
 * @param {{ label: string, fileIds: () => string[], what: () => string, onDeleted: () => void }} given
 */
export function deleteButton({ label, fileIds, what, onDeleted }) {
  const button = element('button', { type: 'button', class: 'plain delete', 'aria-label': label }, say('delete.delete'))
  let isSure = false
  const calm = () => {
    isSure = false
    button.textContent = say('delete.delete')
    button.classList.remove('sure')
  }
  button.addEventListener('blur', calm)
  button.addEventListener('click', async () => {
    if (!isSure) {
      isSure = true
      button.textContent = say('delete.really')
      button.classList.add('sure')
      announce(say('delete.sure', { what: what() }))
      return
    }
    button.disabled = true
    try {
      await ask('/files', { method: 'DELETE', json: { file_ids: fileIds() } })
      announce(say('delete.done', { what: what() }))
      onDeleted()
    } catch (error) {
      announce(error.message)
      button.title = error.message
    }
    button.disabled = false
    calm()
  })
  return button
}
