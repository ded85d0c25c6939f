/** A vocabulary as people write it: a line for each word, `Vaak = वाक, vak`, with `* 1.5` where it is listened for more. */

const weighted = /^(.*\S)\s*\*\s*(\d+(?:\.\d+)?)$/u

/** @param {{ text: string, weight?: number, spoken?: string[] }[]} entries */
export function linesOf(entries) {
  return entries
    .map(({ text, weight, spoken = [] }) => {
      const strength = weight === undefined ? '' : ` * ${weight}`
      return `${text}${strength}${spoken.length > 0 ? ` = ${spoken.join(', ')}` : ''}`
    })
    .join('\n')
}

/** @param {string} lines */
export function entriesIn(lines) {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [written, ...others] = line.split('=')
      const [, text = written.trim(), weight] = weighted.exec(written.trim()) ?? []
      const spoken = others
        .join('=')
        .split(',')
        .map((form) => form.trim())
        .filter(Boolean)
      return { text, ...(weight !== undefined && { weight: Number(weight) }), ...(spoken.length > 0 && { spoken }) }
    })
}
