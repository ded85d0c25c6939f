import { announce, element, notice } from './element.js'
import { endAtIssuer, takeAnswer } from './issuer-sign-in.js'
import { openFrame } from './language-switch.js'
import { linkRealtime } from './realtime-tab.js'
import { keepSignedIn } from './renewal.js'
import { say } from './say.js'
import { forget, grant, nameIn, onOtherTab, takeFromAddress, token } from './session.js'
import { signIn } from './sign-in.js'

/** Where the page is: behind `#`, so that every place has an address and the server is not asked for it. What shows a place is fetched when it is gone to. */
const places = [
  [
    /^#\/file\/([0-9a-f-]{36})(?:\/(\d+(?:\.\d+)?))?$/,
    async () => (await import('./result-view.js')).resultView,
    'frame.aRecording',
  ],
  [/^#\/search\/(.+)$/, async () => (await import('./find-view.js')).findView, 'frame.found'],
  [/^#\/batch\/([0-9a-f-]{36})$/, async () => (await import('./batch-view.js')).batchView, 'frame.aBatch'],
  [/^#\/batches$/, async () => (await import('./batches-view.js')).batchesView, 'frame.batches'],
  [/^#\/dictation$/, async () => (await import('./dictation-view.js')).dictationView, 'frame.dictation'],
  [/^#\/voices$/, async () => (await import('./voices-view.js')).voicesView, 'frame.voices'],
  [/^#\/words$/, async () => (await import('./words-view.js')).wordsView, 'frame.words'],
  [/^#\/usage$/, async () => (await import('./usage-view.js')).usageView, 'frame.usage'],
  [/^#\/access$/, async () => (await import('./access-view.js')).accessView, 'frame.keys'],
  [/^/, async () => (await import('./list-view.js')).listView, 'frame.recordings'],
]

let leaving = new AbortController()

/** Who comes back from signing in has a token before anything is shown, or is told why not. */
async function begin() {
  const trouble = await takeAnswer()
  if (trouble !== undefined && token() === undefined) return showSignIn(document.getElementById('main'), trouble)
  return show()
}

async function show() {
  takeFromAddress()
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const main = document.getElementById('main')
  showAccount()
  showPlace()
  if (token() === undefined) return showSignIn(main)
  const { hash } = location
  const [pattern, fetched, title] = places.find(([one]) => one.test(hash))
  document.title = `${say(title)} · Vaak`
  main.replaceChildren(element('p', { class: 'quiet' }, say('frame.moment')))
  try {
    const view = await fetched()
    const content = await view(signal, ...pattern.exec(hash).slice(1))
    if (signal.aborted) return
    main.replaceChildren(content)
    window.scrollTo(0, 0)
    // what most people open next is there when they do
    void import('./result-view.js').catch(() => undefined)
  } catch (error) {
    if (signal.aborted) return
    if (error.status === 401) return signOut(error.message)
    main.replaceChildren(notice(error.message), element('p', {}, element('a', { href: '#/' }, say('frame.back'))))
  }
}

async function showSignIn(main, reason) {
  document.title = 'Vaak'
  main.replaceChildren(await signIn(show, reason))
  main.querySelector('button.first, #token')?.focus()
}

function signOut(reason) {
  forget()
  leaving.abort()
  showAccount()
  showPlace()
  return showSignIn(document.getElementById('main'), reason)
}

/** Here at once, and then where they signed in. */
async function leave() {
  const ended = grant()
  await signOut()
  const isLeft = await endAtIssuer(ended).catch(() => false)
  if (ended && !isLeft) await signOut(say('signIn.stillThere'))
}

/** Of the places that can be gone to from everywhere, where one is. */
function showPlace() {
  const here = location.hash === '' ? '#/' : location.hash
  for (const link of document.querySelectorAll('.top nav a')) {
    if (token() !== undefined && link.getAttribute('href') === here) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}

function showAccount() {
  const given = token()
  const account = document.getElementById('account')
  if (given === undefined) return account.replaceChildren()
  account.replaceChildren(
    element('span', { class: 'who', title: say('frame.who') }, nameIn(given)),
    element('button', { type: 'button', class: 'plain', onclick: leave }, say('frame.signOut')),
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
openFrame(() => void show())
onOtherTab(() => void show())
keepSignedIn()
void begin()
void linkRealtime()
