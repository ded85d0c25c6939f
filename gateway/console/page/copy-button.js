import { announce, element } from './element.js'
import { say } from './say.js'

const saidForMs = 2_000

/** Copies what `textOf` gives, and says so: `done` to who listens. */
export function copyButton(textOf, done = say('copy.textCopied')) {
  const button = element('button', { type: 'button', class: 'copy' }, say('copy.copy'))
  const copy = async () => {
    const isCopied = await write(textOf())
    button.textContent = say(isCopied ? 'copy.copied' : 'copy.notCopied')
    announce(isCopied ? done : say('copy.refused'))
    setTimeout(() => (button.textContent = say('copy.copy')), saidForMs)
  }
  button.addEventListener('click', () => void copy())
  return button
}

/** Pages without TLS have no clipboard but this one. */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = element('textarea', { class: 'unseen', 'aria-hidden': 'true' })
    field.value = text
    // what a dialog is over cannot be chosen
    const place = document.querySelector('dialog[open]') ?? document.body
    place.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    return isCopied
  }
}
