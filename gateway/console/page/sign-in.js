import { ask } from './api.js'
import { element, notice } from './element.js'
import { say, sayAround } from './say.js'
import { forget, remember, tokenIn } from './session.js'

/** The page for whoever has no token yet, with how to get one. */
export function signIn(onSignedIn, reason) {
  const input = element('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'token-hint',
  })
  const trouble = element('div', {}, reason && notice(reason))
  const button = element('button', { type: 'submit', class: 'strong' }, say('signIn.open'))
  const enter = async (event) => {
    event.preventDefault()
    button.disabled = true
    remember(tokenIn(input.value))
    try {
      await ask('/files?limit=1')
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
  return element(
    'section',
    { class: 'sign-in' },
    element('h1', {}, say('signIn.title')),
    element('p', { class: 'lead' }, say('signIn.lead')),
    element(
      'form',
      { onsubmit: enter },
      element('label', { for: 'token' }, say('signIn.token')),
      element('div', { class: 'field' }, input, button),
      trouble,
      hint(),
    ),
  )
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
