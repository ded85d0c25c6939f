import test from 'ava'

import { aRiff, repeated, asciiText } from '../../support/media.ts'
import { summary } from '../../support/probing.ts'

for (const [content, noun] of [
  ['Minutes of the meeting of Monday\n', 'plain text'],
  ['नमस्ते, यह पाठ है', 'plain text'],
  ['caffeine is good', 'plain text'],
  ['ID3 tags explained', 'plain text'],
  ['OggS is a magic', 'plain text'],
  ["I'm free today", 'plain text'],
  ['MAC addresses', 'plain text'],
  ['MZ', 'plain text'],
  ['\ufeff<!DOCTYPE html><title>404</title>', 'an HTML page'],
  ['\n  <html lang="hi">', 'an HTML page'],
  ['{"error": "not found"}', 'JSON'],
  ['[{"a": 1}]', 'JSON'],
  ['<?xml version="1.0"?><rss/>', 'XML'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'an SVG image'],
  ['#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n', 'a playlist (M3U8)'],
  ["ffconcat version 1.0\nfile '/etc/passwd'\n", 'a playlist (ffconcat)'],
  ['<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"/>', 'a playlist (DASH)'],
  ['[playlist]\nFile1=a.mp3', 'a playlist (PLS)'],
] as const)
  test(`${noun} is named: ${content.trim().slice(0, 24)}`, async (t) => {
    t.is(await summary(Buffer.from(content)), `looks like ${noun}, not audio`)
  })

for (const [magic, noun] of [
  ['\x89PNG\r\n\x1a\n', 'a PNG image'],
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'a JPEG image'],
  ['GIF89a', 'a GIF image'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'a WebP image'],
  ['II*\0', 'a TIFF image'],
  ['%PDF-1.7\n%\xe2\xe3', 'a PDF document'],
  ['PK\x03\x04\x14\0', 'a ZIP archive or an Office document'],
  ['\x1f\x8b\x08\0', 'a gzip archive'],
  ['Rar!\x1a\x07\x01\0', 'a RAR archive'],
  ['\x7fELF\x02\x01', 'a Linux program'],
  ['MZ\x90\0', 'a Windows program'],
  ['\xff\xfeh\0i\0', 'plain text'],
] as const)
  test(`${noun} is named by its magic ${JSON.stringify(magic.slice(0, 4))}`, async (t) => {
    t.is(await summary(Buffer.concat([asciiText(magic), Buffer.alloc(600, 0x81)])), `looks like ${noun}, not audio`)
  })

test('video that this service does not read says what to do', async (t) => {
  const stream = repeated(10, Buffer.concat([asciiText('G'), Buffer.alloc(187, 0x11)]))
  for (const [content, noun] of [
    [aRiff([['hdrl', new Uint8Array(40)]], { type: 'AVI ' }), 'an AVI video'],
    [stream, 'an MPEG transport stream'],
  ] as const)
    t.is(await summary(content), `looks like ${noun}, which this service does not read: convert it to MP4 or WAV`)
})

test('a file of nothing says so', async (t) => {
  t.is(await summary(new Uint8Array()), 'is empty')
  t.is(await summary(new Uint8Array(10_000)), 'holds nothing but zeros: the recording was never written')
})

test('a text that is cut inside a character is still text', async (t) => {
  t.is(await summary(Buffer.from('क'.repeat(5_000))), 'looks like plain text, not audio')
})
