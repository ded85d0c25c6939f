import { element } from './element.js'
import { say } from './say.js'

/**
 * Asks for something over the page; Escape leaves it as it is. `others` are buttons that do something else and close it.
 * @param {{ title: string, fields: Node[], submit?: string, onSubmit?: () => void, others?: [string, () => void][] }} given
 */
export function formDialog({ title, fields, submit, onSubmit, others = [] }) {
  const dialog = element('dialog', { class: 'asking', 'aria-label': title })
  const leave = () => dialog.close()
  // only then: the keyboard is back on the page, and stays where it is when that is changed
  const leaveAnd = (run) => (leave(), run?.())
  const form = element(
    'form',
    {
      method: 'dialog',
      onsubmit: (event) => (event.preventDefault(), leaveAnd(onSubmit)),
    },
    element('h2', {}, title),
    ...fields,
    element(
      'div',
      { class: 'buttons' },
      submit && element('button', { type: 'submit', class: 'strong' }, submit),
      ...others.map(([label, run]) => element('button', { type: 'button', onclick: () => leaveAnd(run) }, label)),
      element(
        'button',
        { type: 'button', class: 'plain', onclick: leave },
        say(submit ? 'dialog.cancel' : 'dialog.close'),
      ),
    ),
  )
  dialog.append(form)
  dialog.addEventListener('keydown', (event) => event.stopPropagation())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
