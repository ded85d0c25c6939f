import { Readable } from 'node:stream'

/** Up to here an answer is made whole before it is given: what fails meanwhile still gets its own status. */
const wholeMaxCharacters = 1024 * 1024
const bufferBytes = 64 * 1024
/** Valid in JSON, but some readers take them for the end of a line. */
const otherLineEnds = /[\u0085\u2028\u2029]/g

/** One object: the head's fields, a list that is never in memory as a whole, and what is known only after it. */
export async function* jsonDocument(
  head: object,
  items: { readonly name: string; readonly list: AsyncIterable<object> },
  tail: (count: number) => object = () => ({}),
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(items.name)}:[`
  let count = 0
  for await (const item of items.list) {
    yield (count === 0 ? '' : ',') + JSON.stringify(item)
    count += 1
  }
  const last = JSON.stringify(tail(count)).slice(1)
  yield last === '}' ? ']}' : `],${last}`
}

export async function* jsonLines(list: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const item of list) yield `${jsonLine(item)}\n`
}

/** One line, whoever counts lines. */
export function jsonLine(item: object): string {
  return JSON.stringify(item).replaceAll(
    otherLineEnds,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The body of an answer: text when it is small, otherwise a stream that fails when its source does. */
export async function bodyOf(parts: AsyncGenerator<string>): Promise<string | Readable> {
  let begin = ''
  while (begin.length < wholeMaxCharacters) {
    const next = await parts.next()
    if (next.done) return begin
    begin += next.value
  }
  return Readable.from(joined(begin, parts), { objectMode: false, highWaterMark: bufferBytes })
}

async function* joined(begin: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield begin
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
