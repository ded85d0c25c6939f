import { announce, element, notice } from './element.js'
import { accessView } from './access-view.js'
import { batchView } from './batch-view.js'
import { dictationView } from './dictation-view.js'
import { findView } from './find-view.js'
import { endAtIssuer, takeAnswer } from './issuer-sign-in.js'
import { openFrame } from './language-switch.js'
import { listView } from './list-view.js'
import { linkRealtime } from './realtime-tab.js'
import { keepSignedIn } from './renewal.js'
import { resultView } from './result-view.js'
import { say } from './say.js'
import { forget, grant, nameIn, onOtherTab, takeFromAddress, token } from './session.js'
import { signIn } from './sign-in.js'
import { usageView } from './usage-view.js'
import { voicesView } from './voices-view.js'
import { wordsView } from './words-view.js'

/** Where the page is: behind `#`, so that every place has an address and the server is not asked for it. */
const places = [
  [/^#\/file\/([0-9a-f-]{36})(?:\/(\d+(?:\.\d+)?))?$/, resultView, 'frame.aRecording'],
  [/^#\/search\/(.+)$/, findView, 'frame.found'],
  [/^#\/batch\/([0-9a-f-]{36})$/, batchView, 'frame.aBatch'],
  [/^#\/dictation$/, dictationView, 'frame.dictation'],
  [/^#\/voices$/, voicesView, 'frame.voices'],
  [/^#\/words$/, wordsView, 'frame.words'],
  [/^#\/usage$/, usageView, 'frame.usage'],
  [/^#\/access$/, accessView, 'frame.keys'],
  [/^/, listView, 'frame.recordings'],
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
  if (token() === undefined) return showSignIn(main)
  const [pattern, view, title] = places.find(([one]) => one.test(location.hash))
  document.title = `${say(title)} · Vaak`
  main.replaceChildren(element('p', { class: 'quiet' }, say('frame.moment')))
  try {
    const content = await view(signal, ...pattern.exec(location.hash).slice(1))
    if (signal.aborted) return
    main.replaceChildren(content)
    window.scrollTo(0, 0)
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
  return showSignIn(document.getElementById('main'), reason)
}

/** Here at once, and then where they signed in. */
async function leave() {
  const ended = grant()
  await signOut()
  const isLeft = await endAtIssuer(ended).catch(() => false)
  if (ended && !isLeft) await signOut(say('signIn.stillThere'))
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
