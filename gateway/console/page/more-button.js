import { element, notice } from './element.js'
import { say } from './say.js'

/** Loads what comes next, once at a time. What goes wrong is said beside it, and it may be tried again. */
export function moreButton(load) {
  const trouble = element('div', {})
  const button = element('button', { type: 'button' }, say('list.more'))
  button.addEventListener('click', async () => {
    trouble.replaceChildren()
    button.disabled = true
    await load().catch((error) => trouble.replaceChildren(notice(error.message)))
    button.disabled = false
  })
  return { button, node: element('div', {}, trouble, button) }
}
