import { element } from './element.js'
import { languageName } from './format.js'
import { nameMax } from './rename.js'

export const languages = ['hi', 'en', 'ta', 'te', 'bn', 'mr', 'gu', 'kn', 'ml', 'pa', 'ur']
const hotwordsMax = 100

/** How recordings are to be transcribed. Nothing needs to be chosen. */
export function transcriptionOptions() {
  const language = choice('Spoken language', [['', 'Find out, passage by passage'], ...languages.map(named)])
  const profile = choice('Speed or accuracy', [
    ['', 'As the server is set up'],
    ['fast', 'Fast'],
    ['balanced', 'Balanced'],
    ['accurate', 'Accurate'],
  ])
  const channels = choice('Channels', [
    ['', 'Mixed together'],
    ['separate', 'Kept apart, as the sides of a call'],
  ])
  const hotwords = element('input', { id: 'hotwords', type: 'text', placeholder: 'Asha, Jaipur, GST' })
  const name = element('input', { id: 'new-batch-name', type: 'text', maxlength: nameMax })
  const node = element(
    'details',
    { class: 'options' },
    element('summary', {}, 'Options'),
    element(
      'div',
      { class: 'option-grid' },
      element('div', {}, element('label', { for: 'new-batch-name' }, 'Name of the batch'), name),
      language.node,
      profile.node,
      channels.node,
      element('div', {}, element('label', { for: 'hotwords' }, 'Names and terms to listen for'), hotwords),
    ),
  )
  const words = () =>
    hotwords.value
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter(Boolean)
      .slice(0, hotwordsMax)
  return {
    node,
    value: () => ({
      ...(name.value.trim() && { name: name.value.trim() }),
      ...(language.value() && { language: language.value() }),
      ...(profile.value() && { profile: profile.value() }),
      ...(channels.value() && { channels: channels.value() }),
      ...(words().length > 0 && { hotwords: words() }),
    }),
  }
}

function named(code) {
  return [code, languageName(code)]
}

function choice(label, entries) {
  const id = `option-${label.toLowerCase().replaceAll(' ', '-')}`
  const select = element('select', { id }, ...entries.map(([value, text]) => element('option', { value }, text)))
  return { node: element('div', {}, element('label', { for: id }, label), select), value: () => select.value }
}
