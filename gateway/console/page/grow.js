/** Made before the page is shown: about five screens. */
const atOnce = 60
/** Then so many at a time: whoever scrolls or types meanwhile does not wait. */
const atATime = 150

/**
 * Children of `parent` by `makers`, in their order: the first at once, the others when the page has been painted, or when one of them
 * is asked for. `isWhole`: all at once, where a page that is as long is replaced.
 * @returns {(at: number) => Element} gives the child at a place
 */
export function growIn(parent, makers, { isWhole = false } = {}) {
  const nodes = []
  const growTo = (count) => {
    const more = makers.slice(nodes.length, count).map((make) => make())
    nodes.push(...more)
    parent.append(...more)
  }
  const goOn = () => {
    if (nodes.length === makers.length) return
    growTo(nodes.length + atATime)
    setTimeout(goOn)
  }
  growTo(isWhole ? makers.length : atOnce)
  requestAnimationFrame(() => setTimeout(goOn))
  return (at) => {
    growTo(at + 1)
    return nodes[at]
  }
}
