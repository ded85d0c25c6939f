import { keepInSight } from './highlight.js'

/** Keys of the result page. They do nothing where a field or a button has the focus, which needs them itself. */
export function pageKeys({ player, search, edit, note, undo, redo, help }, signal) {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.altKey || event.target.closest?.('input, select, textarea, dialog')) return
      const isWithControl = event.ctrlKey || event.metaKey
      if (isWithControl) {
        const key = event.key.toLowerCase()
        const act = key === 'y' || (key === 'z' && event.shiftKey) ? redo : key === 'z' ? undo : undefined
        if (!act) return
        act()
        return event.preventDefault()
      }
      const letter = { e: edit, n: note, '?': help, '/': () => search.focus() }[event.key.toLowerCase()]
      if (letter) {
        letter()
        return event.preventDefault()
      }
      if (!player || event.target.closest?.('button, a, summary, .transcript')) return
      if (event.key === ' ') player.toggle()
      else if (event.key.toLowerCase() === 'l') player.loop()
      else if (event.key === 'ArrowLeft') player.back()
      else if (event.key === 'ArrowRight') player.forth()
      else return
      event.preventDefault()
    },
    { signal },
  )
}

/**
 * In the transcript: from word to word, and Enter for what a click on it does. Gives back what tells which word is marked, or -1.
 */
export function wordKeys(node, wordsOf, { toggle, onWord }) {
  let at = -1
  const move = (to) => {
    const words = wordsOf()
    words[at]?.node.classList.remove('cursor')
    at = Math.max(0, Math.min(words.length - 1, to))
    words[at]?.node.classList.add('cursor')
    if (words[at]) keepInSight(words[at].node)
  }
  node.addEventListener('blur', () => wordsOf()[at]?.node.classList.remove('cursor'))
  node.addEventListener('keydown', (event) => {
    if (event.target !== node) return
    if (event.key === 'ArrowRight') move(at + 1)
    else if (event.key === 'ArrowLeft') move(at - 1)
    else if (event.key === 'Home') move(0)
    else if (event.key === 'End') move(wordsOf().length - 1)
    else if (event.key === 'Enter' && at >= 0) onWord(wordsOf()[at])
    else if (event.key === ' ' && toggle) toggle()
    else return
    event.preventDefault()
  })
  return () => (document.activeElement === node ? at : -1)
}
