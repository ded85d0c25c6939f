import { comeWith } from './api.js'
import { element, notice } from './element.js'
import { openFrame } from './language-switch.js'
import { say } from './say.js'
import { sharedView } from './shared-view.js'

/** The page that a share link opens. The link is behind `#`, which browsers send to no server. */
let leaving = new AbortController()

async function show() {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const main = document.getElementById('main')
  comeWith(location.hash.slice(1))
  main.replaceChildren(element('p', { class: 'quiet' }, say('frame.moment')))
  try {
    const content = await sharedView(signal)
    if (!signal.aborted) main.replaceChildren(...content)
  } catch (error) {
    if (signal.aborted) return
    // whoever was sent a link reads it in their language, also that it is not good
    const reason = error.status === 401 ? say('share.refused') : error.message
    main.replaceChildren(element('h1', {}, say('frame.nothing')), notice(reason))
  }
}

// the browser would take it for another link
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault()
  document.getElementById('main').focus()
})
window.addEventListener('hashchange', () => void show())
openFrame(() => void show())
void show()
