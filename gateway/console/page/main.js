import { announce, element, notice } from './element.js'
import { accessView } from './access-view.js'
import { batchView } from './batch-view.js'
import { findView } from './find-view.js'
import { listView } from './list-view.js'
import { linkRealtime } from './realtime-tab.js'
import { resultView } from './result-view.js'
import { forget, nameIn, takeFromAddress, token } from './session.js'
import { signIn } from './sign-in.js'

/** Where the page is: behind `#`, so that every place has an address and the server is not asked for it. */
const places = [
  [/^#\/file\/([0-9a-f-]{36})(?:\/(\d+(?:\.\d+)?))?$/, resultView, 'A recording'],
  [/^#\/search\/(.+)$/, findView, 'Found'],
  [/^#\/batch\/([0-9a-f-]{36})$/, batchView, 'A batch'],
  [/^#\/access$/, accessView, 'API keys'],
  [/^/, listView, 'Recordings'],
]

let leaving = new AbortController()

async function show() {
  takeFromAddress()
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const main = document.getElementById('main')
  showAccount()
  if (token() === undefined) return showSignIn(main)
  const [pattern, view, title] = places.find(([one]) => one.test(location.hash))
  document.title = `${title} · Vaak`
  main.replaceChildren(element('p', { class: 'quiet' }, 'One moment …'))
  try {
    const content = await view(signal, ...pattern.exec(location.hash).slice(1))
    if (signal.aborted) return
    main.replaceChildren(content)
    window.scrollTo(0, 0)
  } catch (error) {
    if (signal.aborted) return
    if (error.status === 401) return signOut(error.message)
    main.replaceChildren(
      notice(error.message),
      element('p', {}, element('a', { href: '#/' }, 'Back to the recordings')),
    )
  }
}

function showSignIn(main, reason) {
  document.title = 'Vaak'
  main.replaceChildren(signIn(show, reason))
  main.querySelector('input')?.focus()
}

function signOut(reason) {
  forget()
  leaving.abort()
  showAccount()
  showSignIn(document.getElementById('main'), reason)
}

function showAccount() {
  const given = token()
  const account = document.getElementById('account')
  if (given === undefined) return account.replaceChildren()
  account.replaceChildren(
    element('span', { class: 'who', title: 'The name in your token' }, nameIn(given)),
    element('button', { type: 'button', class: 'plain', onclick: () => signOut() }, 'Sign out'),
  )
}

// the browser would take it for an address of ours
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault()
  document.getElementById('main').focus()
})
window.addEventListener('hashchange', () => {
  announce('')
  void show()
})
void show()
void linkRealtime()
