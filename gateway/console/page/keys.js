import { keepInSight } from './highlight.js'

/** Keys of the result page. They do nothing where a field or a button has the focus, which needs them itself. */
export function pageKeys({ player, search }, signal) {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target.closest?.('input, select, textarea, button, a, summary, .transcript')) return
      if (event.key === ' ') player.toggle()
      else if (event.key === 'ArrowLeft') player.back()
      else if (event.key === 'ArrowRight') player.forth()
      else if (event.key === '/') search.focus()
      else return
      event.preventDefault()
    },
    { signal },
  )
}

/** In the transcript: from word to word, and Enter to hear it from there. */
export function wordKeys(node, wordsOf, player) {
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
    else if (event.key === 'Enter' && at >= 0) player.playFrom(wordsOf()[at].start)
    else if (event.key === ' ') player.toggle()
    else return
    event.preventDefault()
  })
}
