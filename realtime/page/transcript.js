import { element } from './element.js'
import { say } from './say.js'

/** What was said, line by line: words as they come, and the whole sentence when it is known. */
export function openTranscript(list) {
  const lines = new Map()

  function lineOf(id, { role, after }) {
    const known = lines.get(id)
    if (known) return known
    const who = role === 'user' ? element('b', { 'data-say': 'talk.you' }, say('talk.you')) : element('b', {}, 'Vaak')
    const line = element('li', { class: role }, who, element('span', {}))
    lines.set(id, line)
    const before = lines.get(after)
    if (before) before.after(line)
    else list.append(line)
    return line
  }

  return {
    has: (id) => lines.has(id),
    /** `text` is all of it, `more` comes behind what is there. */
    write(id, { role, text, more = '', after, isLive = false }) {
      const line = lineOf(id, { role, after })
      const span = line.lastElementChild
      const known = span.textContent === '…' ? '' : span.textContent
      span.textContent = text ?? known + more
      line.classList.toggle('live', isLive)
      line.scrollIntoView({ block: 'nearest' })
    },
  }
}
