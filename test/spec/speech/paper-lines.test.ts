import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import test from 'ava'
import { create } from 'fontkit'

import { linesOf } from '../../../infra/speech/formats/paper/lines.ts'
import { shapedFont } from '../../../infra/speech/formats/paper/shaped-font.ts'
import { unpackedFont } from '../../../infra/speech/formats/paper/unpacked-font.ts'
import { openLettering } from '../../../infra/speech/formats/paper/words.ts'
import type { PaperWord } from '../../../infra/speech/formats/paper/words.ts'

/** Every letter is as wide as the next. */
const each = 1
const plain = { isBold: false }
const lettering = (widest = 100) => openLettering({ measure: (_, text) => text.length * each, widest })
const written = (words: readonly PaperWord[], width: number, indent = 0) =>
  linesOf(words, { width, indent, space: each }).map((line) => line.map(({ text }) => text).join(''))

test('a line has as many words as it has room for, and the first begins after its time', (t) => {
  const words = lettering().wordsOf('एक दो तीन चार', plain)
  t.deepEqual(written(words, 8), ['एक दो', 'तीन चार'])
  t.deepEqual(written(words, 8, 4), ['एक', 'दो तीन', 'चार'])
})

test('a comma stays with its word although it is of another font', (t) => {
  const words = lettering().wordsOf('हाँ, ठीक', plain)
  t.deepEqual(
    words[0]!.runs.map(({ font, text }) => [font, text]),
    [
      ['devanagari', 'हाँ'],
      ['latin', ','],
    ],
  )
  t.deepEqual(written(words, 3), ['हाँ,', 'ठीक'])
})

test('words of one font are drawn at once, with the spaces between them', (t) => {
  const words = lettering().wordsOf('the जयपुर office is', plain)
  const [line] = linesOf(words, { width: 40, indent: 0, space: each })
  t.deepEqual(line, [
    { font: 'latin', text: 'the ', x: 0 },
    { font: 'devanagari', text: 'जयपुर ', x: 4 },
    { font: 'latin', text: 'office is', x: 10 },
  ])
})

test('a line may end after a hyphen, and anywhere in a word that no line has room for', (t) => {
  const { wordsOf } = lettering(10)
  t.deepEqual(written(wordsOf('a twenty-one', plain), 10), ['a twenty-', 'one'])
  t.deepEqual(written(wordsOf(`a ${'b'.repeat(25)}`, plain), 10), ['a bbbbbbbb', 'b'.repeat(10), 'b'.repeat(7)])
})

test('a word is measured once, however often it is said', (t) => {
  const measured: string[] = []
  const { wordsOf } = openLettering({ measure: (font, text) => measured.push(`${font} ${text}`), widest: 100 })
  for (let times = 0; times < 3; times += 1) wordsOf('हाँ हाँ yes', plain)
  wordsOf('हाँ', { isBold: true })
  t.deepEqual(measured, ['devanagari हाँ', 'latin yes', 'devanagari-bold हाँ'])
})

interface Shaped {
  readonly glyphs: readonly { readonly id: number; readonly codePoints: readonly number[] }[]
  readonly positions: readonly { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number }[]
}
interface Shaping {
  layout(text: string): Shaped
}
const bytesOf = (part: string): Buffer => {
  const name = `@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-${part}-400-normal.woff`
  return unpackedFont(readFileSync(createRequire(import.meta.url).resolve(name)))
}
const glyphsIn = ({ glyphs, positions }: Shaped) =>
  glyphs.map(({ id }, at) => [id, positions[at]!.xAdvance, positions[at]!.xOffset, positions[at]!.yOffset])

test('letters are put together to the glyphs, and at the places, that the font asks for', (t) => {
  const words = {
    devanagari: 'नमस्ते क्षत्रिय कर्म र्कि ज़रूरत हफ़्ते हाँ श्रृंखला द्वारा ट्रेन १२३ है।',
    latin: 'AVATAR Toggle office fi 10:45, “yes”',
  }
  for (const [part, text] of Object.entries(words)) {
    const [own, known] = [shapedFont(bytesOf(part)), create(bytesOf(part))] as unknown as Shaping[] // as: only this of them
    for (const word of text.split(' ')) t.deepEqual(glyphsIn(own!.layout(word)), glyphsIn(known!.layout(word)), word)
  }
})

test('every glyph stands for letters of its own, so that text can be copied', (t) => {
  const font = shapedFont(bytesOf('devanagari')) as unknown as Shaping // as: only this of it
  const lettersOf = (text: string) =>
    font.layout(text).glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints))
  t.deepEqual(lettersOf('कि'), ['ि', 'क'])
  t.deepEqual(lettersOf('कर्म'), ['क', 'म', 'र्'])
  t.deepEqual(lettersOf('क्ष'), ['क्ष'])
})
