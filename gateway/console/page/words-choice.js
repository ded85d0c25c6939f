import { read } from './api.js'
import { element } from './element.js'
import { say } from './say.js'

/** Which of a user's vocabularies is listened for. They are asked for when somebody looks at the options. */
export function wordsChoice() {
  const select = element('select', { id: 'option-words' }, element('option', { value: '' }, say('words.noneChosen')))
  let isAsked = false
  return {
    node: element('div', {}, element('label', { for: 'option-words' }, say('frame.words')), select),
    value: () => (select.value === '' ? {} : { vocabulary: select.value }),
    async load() {
      if (isAsked) return
      isAsked = true
      const { vocabularies } = await read('/vocabularies').catch(() => ({ vocabularies: [] }))
      for (const { vocabulary_id: value, name } of vocabularies) select.append(element('option', { value }, name))
    },
  }
}
