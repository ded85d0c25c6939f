import { announce, element } from './element.js'

const saidForMs = 2_000

/** Copies what `textOf` gives, and says so. */
export function copyButton(textOf, what = 'text') {
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
  const copy = async () => {
    const isCopied = await write(textOf())
    const said = isCopied ? 'Copied' : 'Not copied'
    button.textContent = said
    announce(isCopied ? `The ${what} was copied.` : 'This browser does not let the page copy.')
    setTimeout(() => (button.textContent = 'Copy'), saidForMs)
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
