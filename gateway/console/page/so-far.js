import { element } from './element.js'
import { clock } from './format.js'
import { say } from './say.js'

/** Each look reads all parts that are done. */
const againMs = 3_000

/**
 * What is written down of a recording while the rest of it is in work.
 * @param {() => Promise<any>} readAgain gives the file with its chunks as they are now
 */
export function soFar(readAgain, signal) {
  const lines = element('div', { class: 'so-far-lines' })
  const node = element(
    'section',
    { class: 'card so-far', 'aria-label': say('reading.soFarLabel'), hidden: true },
    element('h2', {}, say('reading.soFar')),
    lines,
  )
  const paint = ({ chunk_results: chunks = [] }) => {
    const written = chunks.filter(({ text }) => text)
    lines.replaceChildren(...written.map(lineOf))
    node.hidden = written.length === 0
  }
  let isBusy = false
  let isMissed = false
  const look = async () => {
    isMissed = isBusy
    if (isBusy) return
    isBusy = true
    try {
      paint(await readAgain())
    } catch {
      // the next part brings another look
    }
    setTimeout(() => {
      isBusy = false
      if (isMissed && !signal.aborted) void look()
    }, againMs)
  }
  return { node, paint, look: () => void look() }
}

function lineOf({ start = 0, text }) {
  return element(
    'p',
    {},
    element('span', { class: 'quiet number' }, clock(start)),
    ' ',
    element('span', { dir: 'auto' }, text),
  )
}
