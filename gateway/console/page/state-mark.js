import { element } from './element.js'
import { states } from './format.js'

/** A state by sign, word and colour. */
export function stateMark(status, detail) {
  const { word, sign, tone } = states[status] ?? states.none
  return element(
    'span',
    { class: `state ${tone}` },
    element('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
    ` ${word}`,
    detail ? ` ${detail}` : '',
  )
}

/** Of a file under way: how many of its chunks are done. */
export function progressDetail({ status, total_chunks: total, completed_chunks: done }) {
  return status === 'processing' && total > 1 ? `· ${done} of ${total} parts` : ''
}
