import { ask } from './api.js'
import { announce, element } from './element.js'

/**
 * Deletes recordings with their transcripts. Asks once more in its own place, so that nothing is lost by a slip.
 * @param {{ label: string, fileIds: () => string[], what: () => string, onDeleted: () => void }} given
 */
export function deleteButton({ label, fileIds, what, onDeleted }) {
  const button = element('button', { type: 'button', class: 'plain delete', 'aria-label': label }, 'Delete')
  let isSure = false
  const calm = () => {
    isSure = false
    button.textContent = 'Delete'
    button.classList.remove('sure')
  }
  button.addEventListener('blur', calm)
  button.addEventListener('click', async () => {
    if (!isSure) {
      isSure = true
      button.textContent = 'Really delete?'
      button.classList.add('sure')
      announce(`Press again to delete ${what()} and what was transcribed of it, for good.`)
      return
    }
    button.disabled = true
    try {
      await ask('/files', { method: 'DELETE', json: { file_ids: fileIds() } })
      announce(`Deleted: ${what()}.`)
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
