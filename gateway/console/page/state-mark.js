import { element } from './element.js'
import { clock, lengthIn, stateOf } from './format.js'
import { say } from './say.js'

/** A state by sign, word and colour. */
export function stateMark(status, detail) {
  const { word, sign, tone } = stateOf(status)
  return element(
    'span',
    { class: `state ${tone}` },
    element('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
    ` ${say(word)}`,
    detail ? ` ${detail}` : '',
  )
}

/** How a file stands; one that is done and has speech that nobody understood does not pass for a good one. */
export function fileMark(progress) {
  const { status, wordless_seconds: wordless = 0 } = progress
  if (status === 'completed' && wordless > 0)
    return stateMark('wordless', `· ${lengthIn('second', Math.ceil(wordless))}`)
  return stateMark(status, progressDetail(progress))
}

/** Of a file under way: how much of its audio is done. */
function progressDetail({ status, audio_seconds: seconds = 0, completed_audio_seconds: done = 0 }) {
  return status === 'processing' && seconds > 0
    ? `· ${say('file.doneOf', { done: clock(done), all: clock(seconds) })}`
    : ''
}
