import { read } from './api.js'
import { element } from './element.js'
import { say } from './say.js'

/** What is written about each transcript when it is there. It is shown where somebody can write it, once the options are looked at. */
export function afterChoice() {
  const kinds = [
    ['summary', say('after.summary')],
    ['chapters', say('after.chapters')],
    ['translation', say('after.translation')],
  ]
  const boxes = kinds.map(([value]) => element('input', { type: 'checkbox', value }))
  const node = element(
    'fieldset',
    { class: 'redaction', hidden: true },
    element('legend', {}, say('after.title')),
    element('p', { class: 'quiet' }, say('after.about')),
    element(
      'div',
      { class: 'redaction-kinds' },
      ...kinds.map(([, label], at) => element('label', {}, boxes[at], ` ${label}`)),
    ),
  )
  let isAsked = false
  const chosen = () => boxes.filter((box) => box.checked).map((box) => ({ type: box.value }))
  return {
    node,
    value: () => (chosen().length > 0 ? { after: chosen() } : {}),
    async load() {
      if (isAsked) return
      isAsked = true
      const { available } = await read('/transcribe/inquiries').catch(() => ({ available: false }))
      node.hidden = !available
    },
  }
}
