import { element } from './element.js'
import { say } from './say.js'

const devanagari = new Set(['hi', 'mr', 'ne', 'sa'])

/** How words are written: the same words, nothing is transcribed again. `onChosen` resolves with how they are written then. */
export function scriptSwitch(result, onChosen) {
  const isDevanagari = result.languages.some(({ code }) => devanagari.has(code))
  const scripts = [
    ['mixed', say('script.mixed')],
    ['native', say(isDevanagari ? 'script.devanagari' : 'script.native')],
    ['latin', say('script.latin')],
  ]
  const choose = async (value) => {
    const written = await onChosen(value)
    node.querySelector(`[value=${written}]`).checked = true
  }
  const node = element(
    'fieldset',
    { class: 'switch' },
    element('legend', { class: 'unseen' }, say('script.label')),
    ...scripts.map(([value, label]) =>
      element(
        'label',
        {},
        element('input', {
          type: 'radio',
          name: 'script',
          value,
          checked: result.script === value,
          onchange: () => void choose(value),
        }),
        element('span', {}, label),
      ),
    ),
  )
  return node
}
