import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

interface FormStream {
  readonly contentType: string
  readonly body: ReadableStream<Uint8Array>
}

interface OtherParts {
  /** What the files are called in the form. */
  readonly field: string
  readonly values: Readonly<Record<string, string>>
}

/** Files as a form, read while they are sent: none of them is in memory as a whole. `onSent` is told of each file's share. */
export function formOf(
  paths: readonly string[],
  onSent: (path: string, fraction: number) => void,
  { field, values }: OtherParts = { field: 'files', values: {} },
): FormStream {
  const boundary = `vaak-${randomUUID()}`
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    for (const [name, value] of Object.entries(values))
      yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    for (const path of paths) {
      const named = `name="${field}"; filename="${quoted(path)}"`
      yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${named}\r\n`)
      yield Buffer.from('Content-Type: application/octet-stream\r\n\r\n')
      const { size } = await stat(path)
      let sentBytes = 0
      for await (const chunk of createReadStream(path)) {
        const bytes = chunk as Buffer // as: no encoding is set
        yield bytes
        sentBytes += bytes.length
        onSent(path, size === 0 ? 1 : sentBytes / size)
      }
      yield Buffer.from('\r\n')
    }
    yield Buffer.from(`--${boundary}--\r\n`)
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: ReadableStream.from(parts()) }
}

/** As browsers write it. */
function quoted(path: string): string {
  return basename(path).replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
