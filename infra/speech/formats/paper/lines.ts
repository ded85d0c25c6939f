import type { FontName, PaperWord } from './words.ts'

/** What is drawn at once, and where in its line. */
interface Stretch {
  readonly font: FontName
  readonly text: string
  readonly x: number
}

/** As many words on each line as it has room for; in each, as few stretches as its fonts allow. */
export function linesOf(
  words: readonly PaperWord[],
  room: { readonly width: number; readonly indent: number; readonly space: number },
): Stretch[][] {
  const lines: Writing[][] = [[]]
  let line = lines[0]!
  let x = room.indent
  for (const { runs, width, isApart } of words) {
    const gap = isApart && line.length > 0 ? room.space : 0
    if (x + gap + width > room.width && x > 0) {
      line = []
      lines.push(line)
      x = 0
    } else if (gap > 0) {
      line.at(-1)!.text += ' ' // a space that is written is there when the text is copied
      x += gap
    }
    for (const { font, text, width: runWidth } of runs) {
      const last = line.at(-1)
      if (last?.font === font) last.text += text
      else line.push({ font, text, x })
      x += runWidth
    }
  }
  return lines
}

type Writing = Stretch & { text: string }
