import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import type { Renderer } from '../../actors/transcript/ports.ts'
import type { TextFormat } from '../../actors/transcript/state.ts'
import type { FileResultBody } from './present.ts'
import type { ZipEntry } from './zip.ts'

/** Transcripts for people to read, of one file and of many. */

export interface TextOptions {
  readonly renderer: Renderer
  readonly format: TextFormat
  readonly speakers: boolean
}

export const textTypes: Readonly<Record<TextFormat, string>> = {
  text: 'text/plain',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
}
const extensions: Readonly<Record<TextFormat, string>> = { text: 'txt', srt: 'srt', vtt: 'vtt' }
const placeDigits = 5
/** What some system does not take in the name of a file. */
const awkward = /[<>:"/\\|?*]/g
const untold = 'not-transcribed.txt'

export function isTextFormat(format: string): format is TextFormat {
  return Object.hasOwn(textTypes, format)
}

/** Of a file that has a transcript. */
export function textOfFile({ renderer, format, speakers }: TextOptions, file: FileResultBody): string {
  if (!file.result) throw nothingToRead(file)
  return renderer.render(file.result, format, { speakers })
}

/** One after the other, each under its name; what has no transcript says why. */
export async function* textsOfFiles(
  options: TextOptions,
  files: AsyncIterable<FileResultBody>,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const file of files) {
    const text = file.result ? textOfFile(options, file) : `(${reasonOf(file)})\n`
    yield `${isFirst ? '' : '\n'}==> ${file.filename} <==\n${text}`
    isFirst = false
  }
}

/** One entry each, numbered, since names may repeat; and a list of those that have no transcript. */
export async function* entriesOfFiles(
  options: TextOptions,
  files: AsyncIterable<FileResultBody>,
): AsyncGenerator<ZipEntry> {
  const without: string[] = []
  let place = 0
  for await (const file of files) {
    place += 1
    const number = String(place).padStart(placeDigits, '0')
    if (file.result)
      yield { name: `${number}-${textName(file.filename, options.format)}`, content: textOfFile(options, file) }
    else without.push(`${number} ${file.filename}: ${reasonOf(file)}\n`)
  }
  if (without.length > 0) yield { name: untold, content: without.join('') }
}

/** As the recording is called, with another ending. */
export function textName(filename: string, format: TextFormat): string {
  return fileNameAs(filename, extensions[format])
}

export function fileNameAs(filename: string, extension: string): string {
  return `${filename.replace(/\.[A-Za-z0-9]{1,10}$/, '').replaceAll(awkward, '_')}.${extension}`
}

export function nothingToRead(file: FileResultBody): FailureError {
  return terminal('conflict', `There is no transcript of this file to read: ${reasonOf(file)}.`)
}

function reasonOf({ status, errors }: FileResultBody): string {
  const message = errors?.at(-1)?.message
  return message === undefined ? `it is ${status}` : `it is ${status}: ${message.replace(/\.$/, '')}`
}
