import { wordAt } from './word-index.js'

/** Marks the word that is being said, and tells `onWord` while it plays. */
export function highlighter(wordsOf, onWord) {
  let marked
  return (seconds, isPlaying) => {
    const words = wordsOf()
    const word = words[wordAt(words, seconds)]
    const node = word && seconds <= word.end + 0.3 ? word.node : undefined
    if (node === marked) return
    marked?.classList.remove('now')
    node?.classList.add('now')
    marked = node
    if (node && isPlaying) onWord(node)
  }
}

export function keepInSight(node) {
  const { top, bottom } = node.getBoundingClientRect()
  const margin = 120
  if (top >= margin && bottom <= window.innerHeight - margin) return
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  node.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' })
}
