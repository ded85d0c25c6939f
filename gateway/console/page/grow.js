/** Made before the page is shown: about five screens. */
const atOnce = 60
/** Then so many at a time: whoever scrolls or types meanwhile does not wait. */
const atATime = 900

/**
 * Children of `parent` by `makers`, in their order: the first at once, the others when the page has been painted, or when one of them
 * is asked for.
 * @returns {{ growTo: (count: number) => void }} makes so many at once, where they are not made yet
 */
export function growIn(parent, makers) {
  let made = 0
  const growTo = (count) => {
    const more = makers.slice(made, count).map((make) => make())
    made += more.length
    parent.append(...more)
  }
  const goOn = () => {
    if (made === makers.length) return
    growTo(made + atATime)
    setTimeout(goOn)
  }
  growTo(atOnce)
  requestAnimationFrame(() => setTimeout(goOn))
  return { growTo }
}
