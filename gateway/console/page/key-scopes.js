import { element } from './element.js'
import { say } from './say.js'

/** What a key may be used for; `isUsual`: unless somebody chooses otherwise. */
const scopes = [
  { name: 'transcribe', words: 'scope.transcribe', isUsual: true },
  { name: 'files', words: 'scope.files', isUsual: true },
  { name: 'realtime', words: 'scope.realtime', isUsual: true },
  { name: 'share', words: 'scope.share', isUsual: false },
  { name: 'keys', words: 'scope.keys', isUsual: false },
]
/** Given by whoever runs the service, and chosen by nobody here. */
const given = [{ name: 'admin', words: 'scope.admin' }]

export function scopesInWords(names) {
  const known = [...scopes, ...given].filter(({ name }) => names.includes(name))
  return known.map(({ words }) => say(words)).join(', ')
}

/** One box for each, of which at least one is ticked before anything is sent. */
export function scopeBoxes() {
  const boxes = scopes.map(({ name, isUsual }) =>
    element('input', { type: 'checkbox', value: name, checked: isUsual, onchange: () => demandOne() }),
  )
  const chosen = () => boxes.filter(({ checked }) => checked).map(({ value }) => value)
  const demandOne = () => boxes[0].setCustomValidity(chosen().length === 0 ? say('access.noScope') : '')
  const fields = element(
    'fieldset',
    { class: 'scopes' },
    element('legend', {}, say('access.mayDo')),
    ...boxes.map((box, at) => element('label', { class: 'check' }, box, ` ${say(scopes[at].words)}`)),
  )
  return { fields, chosen }
}
