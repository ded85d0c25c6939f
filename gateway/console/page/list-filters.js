import { element } from './element.js'
import { languageName, states } from './format.js'
import { languages } from './options.js'

const waitMs = 300
const nameMax = 200
const shownStates = ['none', 'queued', 'processing', 'retrying', 'completed', 'partial', 'failed']

/** In which order what was found is shown; without one as it was uploaded, the newest first. */
const orders = {
  '': ['Newest first'],
  oldest: ['Oldest first', (one, other) => (one.file_id < other.file_id ? -1 : 1)],
  name: ['By name', (one, other) => one.filename.localeCompare(other.filename, undefined, { numeric: true })],
  longest: ['Longest first', (one, other) => other.estimated_duration_seconds - one.estimated_duration_seconds],
}

/**
 * Which recordings are shown, and in which order.
 * @param {() => void} onChange
 */
export function listFilters(onChange) {
  const name = field('Name', element('input', { type: 'search', maxlength: nameMax }))
  const status = field('State', choices([['', 'All'], ...shownStates.map((state) => [state, states[state].word])]))
  const language = field('Language', choices([['', 'All'], ...languages.map((code) => [code, languageName(code)])]))
  const from = field('From', element('input', { type: 'date' }))
  const to = field('Until', element('input', { type: 'date' }))
  const order = field('Order', choices(Object.entries(orders).map(([value, [text]]) => [value, text])))
  const filters = [name, status, language, from, to]
  const all = [...filters, order]
  const clear = element('button', { type: 'button', class: 'plain', onclick: () => empty() }, 'Show all')
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
      element('summary', {}, 'Filter and sort'),
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

function field(label, input) {
  input.id = `filter-${label.toLowerCase()}`
  return { input, node: element('div', {}, element('label', { for: input.id }, label), input) }
}
