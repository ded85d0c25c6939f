import { element } from './element.js'
import { languageName } from './format.js'
import { say } from './say.js'
import { voiceGroups } from './voice-groups.js'

/** That somebody may say they speak. */
const spoken = ['hi', 'en', 'ta']

/** Every voice of this server by its name; each speaks all languages. What was chosen stays chosen. */
export function openChoices({ voice, language }) {
  let voices = []
  const show = () => {
    offer(voice, voiceGroups(voices))
    const names = spoken.map((code) => element('option', { value: code }, languageName(code)))
    offer(language, [element('option', { value: '' }, say('talk.findOut')), ...names])
  }
  show()
  void voicesHere().then((found) => {
    voices = found
    show()
  })
  return { again: show }
}

async function voicesHere() {
  const response = await fetch('/page/voices').catch(() => undefined)
  return response?.ok ? (await response.json()).data : []
}

function offer(select, options) {
  const { value } = select
  select.replaceChildren(...options)
  if (value !== '') select.value = value
}
