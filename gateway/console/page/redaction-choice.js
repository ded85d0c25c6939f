import { element } from './element.js'
import { say } from './say.js'

/** What is taken out of the words before anybody reads them. Nothing unless somebody says so. */
export function redactionChoice() {
  const kinds = [
    ['phone', say('redact.phone')],
    ['card', say('redact.card')],
    ['aadhaar', say('redact.aadhaar')],
    ['pan', say('redact.pan')],
    ['email', say('redact.email')],
    ['account', say('redact.account')],
    ['name', say('redact.name')],
  ]
  const boxes = kinds.map(([value]) => element('input', { type: 'checkbox', value }))
  const kept = element('input', { type: 'checkbox', id: 'keep-unredacted' })
  const heard = element('input', { type: 'checkbox', id: 'redact-audio' })
  const more = element(
    'div',
    { class: 'redaction-kinds', hidden: true },
    element('label', {}, heard, ` ${say('redact.audio')}`),
    element('label', {}, kept, ` ${say('redact.keep')}`),
  )
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value)
  const node = element(
    'fieldset',
    { class: 'redaction', onchange: () => (more.hidden = chosen().length === 0) },
    element('legend', {}, say('redact.title')),
    element('p', { class: 'quiet' }, say('redact.about')),
    element(
      'div',
      { class: 'redaction-kinds' },
      ...kinds.map(([, label], at) => element('label', {}, boxes[at], ` ${label}`)),
    ),
    more,
  )
  return {
    node,
    value: () => ({
      ...(chosen().length > 0 && {
        redact: chosen(),
        ...(heard.checked && { redact_audio: true }),
        ...(kept.checked && { keep_unredacted: true }),
      }),
    }),
  }
}
