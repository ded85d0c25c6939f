import { element } from './element.js'
import { say } from './say.js'
import { spanAt } from './word-index.js'

/** Plays one sentence again and again, for who writes down or learns what is said in it. */
export function loopButton(audio, { jump, start }) {
  let segments = []
  /** The sentence that is repeated. */
  let span
  const label = say('player.loop')
  const about = { type: 'button', class: 'loop', 'aria-pressed': 'false', 'aria-label': label, title: label }
  const node = element('button', about, '↻')
  const set = (next) => {
    span = next
    node.setAttribute('aria-pressed', String(span !== undefined))
  }
  const sentenceAt = (seconds) => segments[spanAt(segments, seconds)] ?? segments.find(({ end }) => end > seconds)
  /** On with the sentence that is played or comes next, or off. */
  const toggle = () => set(span ? undefined : sentenceAt(audio.currentTime))
  node.addEventListener('click', toggle)
  audio.addEventListener('ended', () => {
    if (!span) return
    jump(span.start)
    start()
  })
  return {
    node,
    toggle,
    know: (next) => (segments = next),
    /** Who chooses another place to hear repeats what is said there. */
    moveTo: (seconds) => span && set(sentenceAt(seconds)),
    /** Whether its end was reached, and it begins again. */
    turnedBack() {
      if (!span || audio.paused || audio.currentTime < span.end) return false
      jump(span.start)
      return true
    },
  }
}
