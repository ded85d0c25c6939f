import { downloads } from './downloads.js'
import { element } from './element.js'
import { say } from './say.js'

/** What stays in sight while a transcript is read. `path` is where it is read, in each of the `forms`, once it is `ready`. */
export function toolbar(filename, { search, buttons, path, forms, ready, queryOf, help }) {
  const menu = element(
    'details',
    { class: 'menu' },
    element('summary', {}, say('download.title')),
    downloads({
      forms,
      pathOf: (query) => `${path}?${query}`,
      nameOf: (format) => `${filename.replace(/\.\w{1,10}$/, '')}.${format}`,
      ready,
      query: queryOf,
    }),
  )
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    menu.open = false
    menu.querySelector('summary').focus()
  })
  // who goes on with something else is done with it, and it covers what they read
  menu.addEventListener('toggle', () => {
    if (!menu.open) return
    const closing = new AbortController()
    const away = ({ target }) => {
      if (menu.contains(target)) return
      menu.open = false
      closing.abort()
    }
    window.addEventListener('pointerdown', away, { signal: closing.signal })
  })
  const asking = element('button', { type: 'button', 'aria-label': say('keys.label'), onclick: () => help() }, '?')
  return element(
    'div',
    { class: 'tools', role: 'group', 'aria-label': say('reading.tools') },
    search,
    element('div', { class: 'doings' }, ...buttons, menu, asking),
  )
}
