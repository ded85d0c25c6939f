const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as it may stand in HTML and SVG. */
export function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => entities[letter] ?? letter)
}
