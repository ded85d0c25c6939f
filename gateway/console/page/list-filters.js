import { element } from './element.js'
import { languageName, stateOf } from './format.js'
import { languages } from './options.js'
import { say } from './say.js'

const waitMs = 300
const nameMax = 200
const shownStates = ['none', 'queued', 'processing', 'retrying', 'completed', 'partial', 'failed']

/** In which order what was found is shown; without one as it was uploaded, the newest first. */
const orders = {
  '': ['filter.newest'],
  oldest: ['filter.oldest', (one, other) => (one.file_id < other.file_id ? -1 : 1)],
  name: ['filter.byName', (one, other) => one.filename.localeCompare(other.filename, undefined, { numeric: true })],
  longest: ['filter.longest', (one, other) => other.estimated_duration_seconds - one.estimated_duration_seconds],
}

/**
 * Which recordings are shown, and in which order.
 * @param {() => void} onChange
 */
export function listFilters(onChange) {
  const name = field('name', 'filter.name', element('input', { type: 'search', maxlength: nameMax }))
  const anything = ['', say('filter.all')]
  const stateChoices = shownStates.map((state) => [state, say(stateOf(state).word)])
  const status = field('state', 'filter.state', choices([anything, ...stateChoices]))
  const languageChoices = languages.map((code) => [code, languageName(code)])
  const language = field('language', 'filter.language', choices([anything, ...languageChoices]))
  const from = field('from', 'filter.from', element('input', { type: 'date' }))
  const to = field('until', 'filter.until', element('input', { type: 'date' }))
  const order = field(
    'order',
    'filter.order',
    choices(Object.entries(orders).map(([value, [text]]) => [value, say(text)])),
  )
  const filters = [name, status, language, from, to]
  const all = [...filters, order]
  const clear = element('button', { type: 'button', class: 'plain', onclick: () => empty() }, say('filter.showAll'))
  const changed = () => {
    clear.hidden = all.every(({ input }) => input.value === '')
    onChange()
  }
  const empty = () => {
    for (const { input } of all) input.value = ''
    changed()
  }
  let waiting
  name.input.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(changed, waitMs)
  })
  for (const { input } of all) if (input !== name.input) input.addEventListener('change', changed)
  clear.hidden = true
  return {
    node: element(
      'details',
      { class: 'options filters' },
      element('summary', {}, say('filter.title')),
      element('div', { class: 'option-grid' }, ...all.map(({ node }) => node)),
      clear,
    ),
    /** As the API takes it. */
    query: () => ({
      ...(name.input.value.trim() && { name: name.input.value.trim() }),
      ...(status.input.value && { status: status.input.value }),
      ...(language.input.value && { language: language.input.value }),
      ...(from.input.value && { from: dayAt(from.input.value, 0) }),
      ...(to.input.value && { to: dayAt(to.input.value, 1) }),
    }),
    isFiltered: () => filters.some(({ input }) => input.value !== ''),
    /** Undefined for the newest first. */
    order: () => orders[order.input.value][1],
  }
}

/** The beginning of a day where the reader is, or of one later. */
function dayAt(text, later) {
  const [year, month, day] = text.split('-').map(Number)
  return new Date(year, month - 1, day + later).toISOString()
}

function choices(entries) {
  return element('select', {}, ...entries.map(([value, text]) => element('option', { value }, text)))
}

function field(name, label, input) {
  input.id = `filter-${name}`
  return { input, node: element('div', {}, element('label', { for: input.id }, say(label)), input) }
}
