import { read } from './api.js'
import { announce, element } from './element.js'
import { formDialog } from './form-dialog.js'

export const nameMax = 200

/**
 * Asks what a batch is called, and calls it so.
 * @param {string} batchId
 * @param {{ nameOf: () => string, onRenamed: (name: string | undefined) => void }} given
 */
export function renameButton(batchId, { nameOf, onRenamed }) {
  const rename = async (name) => {
    try {
      const renamed = await read(`/transcribe/batch/${batchId}`, { method: 'PATCH', json: { name } })
      onRenamed(renamed.name)
      announce(renamed.name ? `The batch is called ${renamed.name}.` : 'The batch has no name any more.')
    } catch (error) {
      announce(error.message)
      button.title = error.message
    }
  }
  const ask = () => {
    const field = element('input', { id: 'batch-name', type: 'text', maxlength: nameMax, value: nameOf() })
    formDialog({
      title: 'Rename the batch',
      fields: [element('label', { for: 'batch-name' }, 'Name; empty for none'), field],
      submit: 'Save',
      onSubmit: () => void rename(field.value),
    })
    field.focus()
  }
  const button = element('button', { type: 'button', class: 'plain rename', onclick: ask }, 'Rename')
  return button
}
