import type { TranscriptLine } from '../../actors/inquiry/ports.ts'

/** A line as a chat model is shown it: by its number, so that whatever the model says of it can be looked up. */
export interface NumberedLine {
  /** From 1. */
  readonly line: number
  readonly speaker?: string
  readonly text: string
}

/** As many lines as fit, in order. A line that is longer than a part is cut. */
export function transcriptParts(lines: readonly TranscriptLine[], partCharacters: number): NumberedLine[][] {
  return partsOf(
    lines.map(({ speaker, text }, at) => ({
      line: at + 1,
      ...(speaker !== undefined && { speaker }),
      text: text.slice(0, partCharacters),
    })),
    partCharacters,
  )
}

/** Whatever is sent as JSON, in parts of so many characters; each part has one at least. */
export function partsOf<Item>(items: readonly Item[], partCharacters: number): Item[][] {
  const parts: Item[][] = []
  let room = 0
  for (const item of items) {
    const { length } = JSON.stringify(item)
    const part = parts.at(-1)
    if (part && length <= room) part.push(item)
    else {
      parts.push([item])
      room = partCharacters
    }
    room -= length
  }
  return parts
}
