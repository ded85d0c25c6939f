import { afterChoice } from './after-choice.js'
import { element } from './element.js'
import { languageName } from './format.js'
import { say } from './say.js'
import { redactionChoice } from './redaction-choice.js'
import { nameMax } from './rename.js'
import { wordsChoice } from './words-choice.js'

export const languages = ['hi', 'en', 'ta', 'te', 'bn', 'mr', 'gu', 'kn', 'ml', 'pa', 'ur']
const hotwordsMax = 100

/** How recordings are to be transcribed. Nothing needs to be chosen. */
export function transcriptionOptions() {
  const language = choice('language', say('options.language'), [['', say('options.findOut')], ...languages.map(named)])
  const profile = choice('profile', say('options.profile'), [
    ['', say('options.asSetUp')],
    ['fast', say('options.fast')],
    ['balanced', say('options.balanced')],
    ['accurate', say('options.accurate')],
  ])
  const channels = choice('channels', say('options.channels'), [
    ['', say('options.mixed')],
    ['separate', say('options.apart')],
    ['auto', say('options.apartIfCall')],
  ])
  const hotwords = element('input', { id: 'hotwords', type: 'text', placeholder: say('options.someHotwords') })
  const vocabulary = wordsChoice()
  const redaction = redactionChoice()
  const after = afterChoice()
  const load = () => Promise.all([vocabulary.load(), after.load()])
  const name = element('input', { id: 'new-batch-name', type: 'text', maxlength: nameMax })
  const node = element(
    'details',
    { class: 'options', ontoggle: () => void load() },
    element('summary', {}, say('options.title')),
    element(
      'div',
      { class: 'option-grid' },
      element('div', {}, element('label', { for: 'new-batch-name' }, say('options.batchName')), name),
      language.node,
      profile.node,
      channels.node,
      element('div', {}, element('label', { for: 'hotwords' }, say('options.hotwords')), hotwords),
      vocabulary.node,
    ),
    redaction.node,
    after.node,
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
      ...vocabulary.value(),
      ...redaction.value(),
      ...after.value(),
    }),
  }
}

function named(code) {
  return [code, languageName(code)]
}

function choice(name, label, entries) {
  const id = `option-${name}`
  const select = element('select', { id }, ...entries.map(([value, text]) => element('option', { value }, text)))
  return { node: element('div', {}, element('label', { for: id }, label), select), value: () => select.value }
}
