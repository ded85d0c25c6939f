import { PassThrough, Readable } from 'node:stream'

export interface Range {
  readonly start: number
  readonly end?: number
}

export function checkRange(range: Range): void {
  const { start, end = start } = range
  if (Number.isSafeInteger(start) && start >= 0 && Number.isSafeInteger(end) && end >= 0) return
  throw new RangeError(`a range counts bytes from 0, so ${start} to ${end} is none`)
}

export function isEmpty(range: Range): boolean {
  return range.end !== undefined && range.end <= range.start
}

export function noBytes(): Readable {
  return new Readable({
    read() {
      this.push(null)
    },
  })
}

/** A read may break half-way: then too the reader is told in our words. Dropping the reader drops the source. */
export function relay(source: Readable, classify: (error: unknown) => Error): Readable {
  const reader = new PassThrough()
  source.once('error', (error) => reader.destroy(classify(error)))
  reader.once('close', () => source.destroy())
  return source.pipe(reader)
}
