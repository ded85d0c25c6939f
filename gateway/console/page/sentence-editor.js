import { writtenAs } from './changed-words.js'
import { element } from './element.js'
import { clock } from './format.js'
import { say } from './say.js'

/**
 * Writes a sentence anew in its own place: Enter or leaving it keeps what was written, Escape what was there.
 * @param {{ line: HTMLElement, segment: any, word?: number, onText: (text: string) => void, onEnd: () => void }} given
 */
export function editSentence({ line, segment, word, onText, onEnd }) {
  const shown = line.querySelector('p')
  const texts = segment.words.map(writtenAs)
  const before = texts.join(' ')
  const field = element('textarea', {
    class: 'sentence',
    rows: '1',
    maxlength: 4000,
    lang: segment.language,
    'aria-label': say('edit.sentence', { time: clock(segment.start) }),
  })
  field.value = before
  const fit = () => {
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  }
  let isOver = false
  const end = (isKept) => {
    if (isOver) return
    isOver = true
    const text = field.value.trim().replaceAll(/\s+/g, ' ')
    field.replaceWith(shown)
    if (isKept && text !== before) onText(text)
    onEnd()
  }
  field.addEventListener('input', fit)
  field.addEventListener('blur', () => end(true))
  field.addEventListener('keydown', (event) => {
    event.stopPropagation()
    // Enter also chooses a word where letters are composed
    if (event.isComposing) return
    if (event.key === 'Escape') end(false)
    else if (event.key === 'Enter') end(true)
    else return
    event.preventDefault()
  })
  shown.replaceWith(field)
  fit()
  field.focus()
  const at = word === undefined ? before.length : texts.slice(0, word).join(' ').length + (word > 0 ? 1 : 0)
  field.setSelectionRange(at, word === undefined ? at : at + texts[word].length)
}
