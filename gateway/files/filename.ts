const maxBytes = 255
const unnamed = 'unnamed'
/** Control characters, and the marks that let a name read backwards on a screen. */
// oxlint-disable-next-line no-control-regex -- to take them out is the point
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu

/** A name that is safe to show and to send back. It is only ever shown: paths are made of ids. */
export function safeFilename(given: string): string {
  const base = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const clean = base.replace(unprintable, '').trim()
  if (clean === '' || clean === '.' || clean === '..') return unnamed
  return shorten(clean)
}

/** Cuts the middle away, so that the extension stays. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  let kept = ''
  for (const character of name) {
    if (Buffer.byteLength(kept + character + extension) > maxBytes) break
    kept += character
  }
  return kept + extension
}
