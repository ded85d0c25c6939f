/**
 * An element with attributes, listeners (`onclick` and the like) and children. Text becomes text and never HTML, whoever
 * wrote it; this and `drawing` are the only ways in which the page makes elements.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | undefined | null | ((event: any) => unknown)>} [given]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any} an element of this tag
 */
export function element(tag, given = {}, ...children) {
  return furnished(document.createElement(tag), given, children)
}

/** The same for parts of a picture (SVG). */
export function drawing(tag, given = {}, ...children) {
  return furnished(document.createElementNS('http://www.w3.org/2000/svg', tag), given, children)
}

function furnished(node, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'function') node.addEventListener(name.slice('on'.length), value)
    else if (value === true) node.setAttribute(name, '')
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, String(value))
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false))
  return node
}

/** Tells those who listen instead of looking. */
export function announce(text) {
  const place = document.getElementById('announcement')
  if (place) place.textContent = text
}

/** What went wrong, as a sentence that is also read out. */
export function notice(text) {
  return element('p', { class: 'notice', role: 'alert' }, text)
}
