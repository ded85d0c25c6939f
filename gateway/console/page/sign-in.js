import { ask } from './api.js'
import { element, notice } from './element.js'
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
  const button = element('button', { type: 'submit', class: 'strong' }, 'Open the console')
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
        notice(error.status === 401 ? `This token does not work. ${error.message}` : error.message),
      )
      button.disabled = false
      input.focus()
    }
  }
  return element(
    'section',
    { class: 'sign-in' },
    element('h1', {}, 'Recordings in, words out.'),
    element(
      'p',
      { class: 'lead' },
      'Vaak writes down what is said in Hindi, English and Hinglish, on your own machine.',
    ),
    element(
      'form',
      { onsubmit: enter },
      element('label', { for: 'token' }, 'Your token'),
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
    element('p', {}, 'No token yet? In the folder of Vaak, on the machine where it runs:'),
    element('pre', {}, element('code', {}, 'npx vaak token')),
    element(
      'p',
      {},
      'prints one; paste it above. ',
      element('code', {}, 'npm start'),
      ' prints a link that brings one along. Where your organisation has its own sign-in, its token is the one to paste. ' +
        'It is kept until you close this tab.',
    ),
  )
}
