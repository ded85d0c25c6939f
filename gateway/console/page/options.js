import { afterChoice } from './after-choice.js'
import { element, notice } from './element.js'
import { languageName } from './format.js'
import { metadataChoice } from './metadata.js'
import { partChoice } from './part-choice.js'
import { say } from './say.js'
import { redactionChoice } from './redaction-choice.js'
import { nameMax } from './rename.js'
import { wordsChoice } from './words-choice.js'

export const languages = ['hi', 'en', 'ta', 'te', 'bn', 'mr', 'gu', 'kn', 'ml', 'pa', 'ur']
const hotwordsMax = 100

/** How recordings are to be transcribed. Nothing needs to be chosen. */
export function transcriptionOptions() {
  const batch = batchOptions()
  const part = partChoice()
  const metadata = metadataChoice()
  const trouble = element('div', {})
  const node = element(
    'details',
    { class: 'options', ontoggle: () => void batch.load() },
    element('summary', {}, say('options.title')),
    element('div', { class: 'option-grid' }, ...batch.nodes, ...part.nodes, metadata.node),
    ...batch.groups,
    trouble,
  )
  return {
    node,
    /** Whether what is written makes sense. Where it does not, it is shown: nothing is sent that would be refused. */
    isGood() {
      const wrong = part.complaint() ?? metadata.complaint()
      trouble.replaceChildren(...(wrong ? [notice(wrong.text)] : []))
      if (!wrong) return true
      node.open = true
      wrong.field.focus()
      return false
    },
    /** As it is chosen at this moment: what is submitted for sources, whenever they are there. */
    submission() {
      const [ofAll, ofEach] = [batch.value(), { ...part.value(), ...metadata.value() }]
      return (sources) => ({ ...ofAll, sources: sources.map((source) => ({ ...source, ...ofEach })) })
    },
  }
}

/** What is said of all recordings together. */
function batchOptions() {
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
  const [vocabulary, redaction, after] = [wordsChoice(), redactionChoice(), afterChoice()]
  const name = element('input', { id: 'new-batch-name', type: 'text', maxlength: nameMax })
  const words = () =>
    hotwords.value
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter(Boolean)
      .slice(0, hotwordsMax)
  return {
    nodes: [
      element('div', {}, element('label', { for: 'new-batch-name' }, say('options.batchName')), name),
      language.node,
      profile.node,
      channels.node,
      element('div', {}, element('label', { for: 'hotwords' }, say('options.hotwords')), hotwords),
      vocabulary.node,
    ],
    groups: [redaction.node, after.node],
    load: () => Promise.all([vocabulary.load(), after.load()]),
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
