/** One voice of the model: 510 rows of 256 numbers, a row for each length of what is said. */
export type Style = Float32Array

export const styleWidth = 256
export const styleRows = 510

/** Weights by the name of a style; they need not add up to one. */
export type StyleMixture = Readonly<Record<string, number>>

export function mixStyles(mixture: StyleMixture, styleOf: (name: string) => Style): Style {
  const total = Object.values(mixture).reduce((sum, weight) => sum + weight, 0)
  const mixed = new Float32Array(styleRows * styleWidth)
  for (const [name, weight] of Object.entries(mixture)) {
    const style = styleOf(name)
    for (let i = 0; i < mixed.length; i += 1) mixed[i]! += (style[i]! * weight) / total
  }
  return mixed
}

/** The row for so many tokens. */
export function styleFor(style: Style, tokens: number): Float32Array {
  const row = Math.max(0, Math.min(styleRows - 1, tokens))
  return style.slice(row * styleWidth, (row + 1) * styleWidth)
}
