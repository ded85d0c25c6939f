import { read } from './api.js'
import { announce, element } from './element.js'
import { formDialog } from './form-dialog.js'
import { say } from './say.js'

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
      announce(renamed.name ? say('batch.called', { name: renamed.name }) : say('batch.nameless'))
    } catch (error) {
      announce(error.message)
      button.title = error.message
    }
  }
  const ask = () => {
    const field = element('input', { id: 'batch-name', type: 'text', maxlength: nameMax, value: nameOf() })
    formDialog({
      title: say('batch.renameTitle'),
      fields: [element('label', { for: 'batch-name' }, say('batch.nameField')), field],
      submit: say('dialog.save'),
      onSubmit: () => void rename(field.value),
    })
    field.focus()
  }
  const button = element('button', { type: 'button', class: 'plain rename', onclick: ask }, say('batch.rename'))
  return button
}
