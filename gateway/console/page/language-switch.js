import { element } from './element.js'
import { chooseLanguage, interfaceLanguage, interfaceLanguages } from './interface-language.js'
import { say } from './say.js'

/** Fills the frame of the page, which is written in HTML without texts, and lets people choose in which language it speaks. */
export function openFrame(onChanged) {
  const select = element(
    'select',
    { id: 'interface-language' },
    ...Object.entries(interfaceLanguages).map(([code, name]) => element('option', { value: code, lang: code }, name)),
  )
  const fill = () => {
    document.documentElement.lang = interfaceLanguage()
    select.value = interfaceLanguage()
    select.setAttribute('aria-label', say('frame.language'))
    for (const node of document.querySelectorAll('[data-say]')) node.textContent = say(node.dataset.say)
    for (const node of document.querySelectorAll('[data-say-label]'))
      node.setAttribute('aria-label', say(node.dataset.sayLabel))
  }
  select.addEventListener('change', () => {
    chooseLanguage(select.value)
    fill()
    onChanged()
    // who goes through the choices by arrow keys is still there
    select.focus()
  })
  document.querySelector('.top').append(select)
  fill()
}
