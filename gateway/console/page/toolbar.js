import { downloads } from './downloads.js'
import { element } from './element.js'
import { showShortcuts } from './shortcuts.js'

/** What stays in sight while a transcript is read. */
export function toolbar(file, { search, buttons, queryOf }) {
  const menu = element(
    'details',
    { class: 'menu' },
    element('summary', {}, 'Download'),
    downloads({
      isOne: true,
      pathOf: (query) => `/transcribe/results/file/${file.file_id}?${query}`,
      nameOf: (format) => `${file.filename.replace(/\.\w{1,10}$/, '')}.${format}`,
      query: queryOf,
    }),
  )
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    menu.open = false
    menu.querySelector('summary').focus()
  })
  const help = element('button', { type: 'button', 'aria-label': 'Keyboard shortcuts', onclick: showShortcuts }, '?')
  return element(
    'div',
    { class: 'tools', role: 'group', 'aria-label': 'Tools' },
    search,
    element('div', { class: 'doings' }, ...buttons, menu, help),
  )
}
