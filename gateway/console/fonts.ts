import { createRequire } from 'node:module'

/** Devanagari and Latin of one family, so that a line with both looks like one line. The rest of its letters nobody writes here. */
const fontParts = ['devanagari', 'latin']
/** What the page's styles ask for: text, and what stands out. */
const weights = [400, 600]

/** Where each font is, by the name under which the page asks for it. They come with their package, not with the page. */
export function fontFiles(): ReadonlyMap<string, string> {
  const { resolve } = createRequire(import.meta.url)
  return new Map(
    fontParts.flatMap((part) =>
      weights.map((weight) => [
        `fonts/${part}-${weight}.woff2`,
        resolve(`@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-${part}-${weight}-normal.woff2`),
      ]),
    ),
  )
}
