import type { NotAudio } from '../../../../actors/upload/ports.ts'
import { notAudio } from './verdict.ts'

type Mark = readonly [offset: number, characters: string]
type Marked = readonly [noun: string, ...marks: Mark[]]

const otherBinaries: readonly Marked[] = [
  ['a PNG image', [0, '\x89PNG\r\n']],
  ['a JPEG image', [0, '\xff\xd8\xff']],
  ['a GIF image', [0, 'GIF8']],
  ['a WebP image', [0, 'RIFF'], [8, 'WEBP']],
  ['a BMP image', [0, 'BM'], [6, '\0\0\0\0']],
  ['a TIFF image', [0, 'II*\0']],
  ['a TIFF image', [0, 'MM\0*']],
  ['a JPEG 2000 image', [0, '\0\0\0\fjP  ']],
  ['a Photoshop image', [0, '8BPS']],
  ['an icon', [0, '\0\0\x01\0'], [5, '\0']],
  ['a PDF document', [0, '%PDF-']],
  ['an old Microsoft Office document', [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']],
  ['a ZIP archive or an Office document', [0, 'PK\x03\x04']],
  ['an empty ZIP archive', [0, 'PK\x05\x06']],
  ['a gzip archive', [0, '\x1f\x8b']],
  ['a bzip2 archive', [0, 'BZh']],
  ['an xz archive', [0, '\xfd7zXZ\0']],
  ['a Zstandard archive', [0, '\x28\xb5\x2f\xfd']],
  ['a 7-Zip archive', [0, '7z\xbc\xaf\x27\x1c']],
  ['a RAR archive', [0, 'Rar!\x1a\x07']],
  ['a tar archive', [257, 'ustar']],
  ['a Linux program', [0, '\x7fELF']],
  ['a Windows program', [0, 'MZ']],
  ['a macOS program', [0, '\xcf\xfa\xed\xfe']],
  ['a macOS or Java program', [0, '\xca\xfe\xba\xbe']],
  ['a WebAssembly program', [0, '\0asm']],
  ['a SQLite database', [0, 'SQLite format 3\0']],
  ['a MIDI score', [0, 'MThd']],
  ['plain text', [0, '\xff\xfe']],
  ['plain text', [0, '\xfe\xff']],
]

const transportPacketBytes = 188

const unreadAudio: readonly Marked[] = [
  ['an AVI video', [0, 'RIFF'], [8, 'AVI ']],
  ['a Flash video', [0, 'FLV\x01']],
  ['an MPEG video', [0, '\0\0\x01\xba']],
  ['an MPEG video', [0, '\0\0\x01\xb3']],
  ['an MPEG transport stream', [0, 'G'], [transportPacketBytes, 'G'], [2 * transportPacketBytes, 'G']],
  ['a RealMedia file', [0, '.RMF']],
  ['a Monkey’s Audio file', [0, 'MAC ']],
  ['a WavPack file', [0, 'wvpk']],
]

const texts: readonly (readonly [noun: string, pattern: RegExp])[] = [
  ['a playlist (M3U8)', /^#EXTM3U/],
  ['a playlist (ffconcat)', /^ffconcat version/],
  ['a playlist (PLS)', /^\[playlist\]/i],
  ['a playlist (DASH)', /^(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)?<MPD[\s>]/],
  ['an HTML page', /^(?:<!doctype html|<html|<head|<body)/i],
  ['an SVG image', /^(?:<\?xml[^>]*>\s*)?<svg[\s>]/i],
  ['XML', /^<\?xml/],
  ['a PDF document', /^%PDF-/],
  ['JSON', /^(?:\{\s*["}]|\[\s*["{[\]\d])/],
]

/** What a file is that is no audio we read, or undefined when it is nothing known. */
export function otherContent(start: Buffer): NotAudio | undefined {
  if (start.every((byte) => byte === 0)) return notAudio('holds nothing but zeros: the recording was never written')
  // texts first: they may begin with any two or four letters
  const other = nounOfText(start) ?? nounIn(start, otherBinaries)
  if (other) return notAudio(`looks like ${other}, not audio`)
  const unread = nounIn(start, unreadAudio)
  return unread
    ? notAudio(`looks like ${unread}, which this service does not read: convert it to MP4 or WAV`)
    : undefined
}

function nounIn(start: Buffer, table: readonly Marked[]): string | undefined {
  const found = table.find(([, ...marks]) => marks.every((mark) => carries(start, mark)))
  return found?.[0]
}

function carries(start: Buffer, [offset, characters]: Mark): boolean {
  return start.toString('latin1', offset, offset + characters.length) === characters
}

function nounOfText(start: Buffer): string | undefined {
  const text = textIn(start)
  return text === undefined ? undefined : (texts.find(([, pattern]) => pattern.test(text))?.[0] ?? 'plain text')
}

/** UTF-8 without the characters that nobody types. */
function textIn(start: Buffer): string | undefined {
  if (start.some((byte) => byte < 0x20 && !typedControls.has(byte))) return undefined
  try {
    // the sample may end inside a character, which `stream` forgives
    return new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true }).trimStart()
  } catch {
    return undefined
  }
}

const typedControls = new Set(Buffer.from('\t\n\v\f\r\x1b'))
