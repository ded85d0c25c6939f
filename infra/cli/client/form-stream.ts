import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

interface FormStream {
  readonly contentType: string
  readonly body: ReadableStream<Uint8Array>
}

/** Files as a form, read while they are sent: none of them is in memory as a whole. `onSent` is told of each file's share. */
export function formOf(paths: readonly string[], onSent: (path: string, fraction: number) => void): FormStream {
  const boundary = `vaak-${randomUUID()}`
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    for (const path of paths) {
      yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${quoted(path)}"\r\n`)
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
