/** Whatever a terminal would obey instead of show. */
const controls = /\p{Cc}/gu

/** Names that came from elsewhere, for a terminal or a line of text. */
export function printable(text: string): string {
  return text.replaceAll(controls, ' ')
}
