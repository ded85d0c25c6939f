import { element } from './element.js'
import { keepInSight } from './highlight.js'
import { say } from './say.js'

const scrollKeys = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown'])

/**
 * Whether the page goes along with what is played. It does until the reader scrolls, who then has a button to come back.
 * @param {AbortSignal} signal
 */
export function following(signal) {
  let isOn = true
  let place
  const button = element('button', { type: 'button', class: 'back-to', hidden: true }, say('player.backTo'))
  const set = (on) => {
    isOn = on
    button.hidden = isOn || !place
    if (isOn && place) keepInSight(place)
  }
  const leave = () => set(false)
  const options = { signal, passive: true }
  window.addEventListener('wheel', leave, options)
  window.addEventListener('touchmove', leave, options)
  window.addEventListener(
    'keydown',
    ({ key, target }) => {
      if (scrollKeys.has(key) && !target.closest?.('input, textarea, select, dialog')) leave()
    },
    options,
  )
  // the bar at the side, which is beside the page
  window.addEventListener(
    'pointerdown',
    ({ clientX }) => {
      if (clientX >= document.documentElement.clientWidth) leave()
    },
    options,
  )
  button.addEventListener('click', () => set(true))
  return {
    node: button,
    /** Somebody chose a place to hear. */
    resume: () => set(true),
    /** The word that is being said, or nothing when nothing is. */
    at(node) {
      place = node
      if (isOn && node) keepInSight(node)
      button.hidden = isOn || !node
    },
  }
}
