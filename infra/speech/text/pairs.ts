/** Tables of letters and words are easier to check when they are not a line each: `a=b c=d` with any space between. */
export function pairs(text: string): [left: string, right: string][] {
  return text
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).normalize('NFC'), pair.slice(at + 1)]
    })
}
