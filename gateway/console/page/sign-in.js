import { ask } from './api.js'
import { element, notice } from './element.js'
import { beginSignIn } from './issuer-sign-in.js'
import { signInProvider } from './issuer.js'
import { say, sayAround } from './say.js'
import { forget, keepInBrowser, remember, tokenIn } from './session.js'

/** The page for whoever has no token yet: where to sign in, or how to get one. */
export async function signIn(onSignedIn, reason) {
  const provider = await signInProvider()
  const input = element('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'token-hint',
  })
  const trouble = element('div', {}, reason && notice(reason))
  const kept = element('input', { type: 'checkbox', id: 'keep' })
  const button = element('button', { type: 'submit', class: 'strong' }, say('signIn.open'))
  const enter = async (event) => {
    event.preventDefault()
    button.disabled = true
    remember(tokenIn(input.value))
    try {
      await ask('/files?limit=1')
      if (kept.checked) keepInBrowser()
      onSignedIn()
    } catch (error) {
      forget()
      trouble.replaceChildren(
        notice(error.status === 401 ? say('signIn.wrong', { reason: error.message }) : error.message),
      )
      button.disabled = false
      input.focus()
    }
  }
  const form = element(
    'form',
    { onsubmit: enter },
    element('label', { for: 'token' }, say('signIn.token')),
    element('div', { class: 'field' }, input, button),
    element('label', { for: 'keep', class: 'choice' }, kept, ` ${say('signIn.keep')}`),
    !provider && trouble,
    hint(),
  )
  return element(
    'section',
    { class: 'sign-in' },
    element('h1', {}, say('signIn.title')),
    element('p', { class: 'lead' }, say('signIn.lead')),
    provider && issuerButton(provider, trouble),
    provider && trouble,
    provider ? element('details', {}, element('summary', {}, say('signIn.useToken')), form) : form,
  )
}

function issuerButton({ issuer }, trouble) {
  const button = element(
    'button',
    { type: 'button', class: 'strong first', 'aria-describedby': 'issuer' },
    say('signIn.signIn'),
  )
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      await beginSignIn(location.hash)
    } catch (error) {
      trouble.replaceChildren(notice(error.message))
    }
    button.disabled = false
  })
  const host = element('span', { id: 'issuer', class: 'quiet' }, say('signIn.sentTo', { host: new URL(issuer).host }))
  return element('p', { class: 'field' }, button, host)
}

function hint() {
  return element(
    'div',
    { id: 'token-hint', class: 'hint' },
    element('p', {}, say('signIn.noToken')),
    element('pre', {}, element('code', {}, 'npx vaak token')),
    element('p', {}, ...sayAround('signIn.hint', { start: element('code', {}, 'npm start') })),
  )
}
