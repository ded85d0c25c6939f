import { element } from './element.js'

const devanagari = new Set(['hi', 'mr', 'ne', 'sa'])

/** How words are written: the same words, nothing is transcribed again. */
export function scriptSwitch(result, onChosen) {
  const isDevanagari = result.languages.some(({ code }) => devanagari.has(code))
  const scripts = [
    ['mixed', 'Mixed'],
    ['native', isDevanagari ? 'Devanagari' : 'Native'],
    ['latin', 'Latin'],
  ]
  return element(
    'fieldset',
    { class: 'switch' },
    element('legend', { class: 'unseen' }, 'Script'),
    ...scripts.map(([value, label]) =>
      element(
        'label',
        {},
        element('input', {
          type: 'radio',
          name: 'script',
          value,
          checked: result.script === value,
          onchange: () => onChosen(value),
        }),
        element('span', {}, label),
      ),
    ),
  )
}
