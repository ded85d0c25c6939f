/** So many sentences, about three screens, have their words from the beginning. */
const atOnce = 40
/** Beyond the screen, above and below. */
const reach = '150% 0px'

/**
 * Words become elements of their own only when their sentence comes into sight, or somebody asks for one: with all of three hours a page
 * takes seconds to open. Until then a sentence is one text.
 */
export function wordsOnSight() {
  const waiting = new Map()
  let shown = 0
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) fill(target)
    },
    { rootMargin: reach },
  )
  const fill = (node) => {
    const write = waiting.get(node)
    if (!write) return
    waiting.delete(node)
    observer.unobserve(node)
    write()
  }
  return {
    /** `write` is called once: when the node comes into sight, or `fill` asks for it before. */
    add(node, write) {
      waiting.set(node, write)
      shown += 1
      if (shown <= atOnce) fill(node)
      else observer.observe(node)
    },
    fill,
    /** Another takes its place, with its words at once where the old one has them. */
    replace(old, node) {
      if (!waiting.delete(old)) fill(node)
      observer.unobserve(old)
    },
  }
}

/** A word of a transcript, which has its element and its marks once they are needed. */
export function placedWord({ word, start, end }, { segment, place, fill }) {
  const marks = new Set()
  let own
  return {
    word,
    start,
    end,
    segment,
    place,
    get node() {
      fill()
      return own
    },
    mark(name, isOn) {
      if (isOn) marks.add(name)
      else marks.delete(name)
      own?.classList.toggle(name, isOn)
    },
    become(node) {
      own = node
      node.classList.add(...marks)
    },
  }
}
