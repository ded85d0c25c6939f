import test from 'ava'

import { inDocx } from '../../../infra/speech/formats/paper/docx.ts'
import { pageOf } from '../../../infra/speech/formats/paper/page.ts'
import { inPdf } from '../../../infra/speech/formats/paper/pdf.ts'
import { canBePrinted } from '../../../infra/speech/formats/paper/printable.ts'
import { aConversation } from '../../support/conversation.ts'
import { aToldTranscript } from '../../support/told-transcripts.ts'
import { unzip } from '../../support/unzip.ts'

const result = aConversation()
const notes = [{ at: 3_725.4, text: 'Ask <her> & "him"\u0000\uD800.' }]
const page = pageOf({ title: 'बैठक.wav', result, notes, speakers: true })

test('on paper there is a paragraph for each turn, with its time and who speaks, and the notes behind', (t) => {
  t.is(page.title, 'बैठक.wav')
  t.deepEqual(
    page.paragraphs.map(({ time, speaker }) => [time, speaker]),
    [
      ['00:00:00', 'speaker_1'],
      ['00:00:08', 'speaker_2'],
      ['00:00:16', 'speaker_1'],
      ['00:00:20', 'speaker_2'],
    ],
  )
  t.deepEqual(page.notes, [{ time: '01:02:05', text: 'Ask <her> & "him" .' }])
  t.is(pageOf({ title: 'a', result, notes, speakers: false }).paragraphs[0]!.speaker, undefined)
})

test('a Word file has every word, and nothing in it is taken for a tag', async (t) => {
  const entries = new Map(unzip(Buffer.from(await inDocx(page))))
  const document = entries.get('word/document.xml')!
  for (const { text } of page.paragraphs) t.true(document.includes(text), text)
  t.true(document.includes('Ask &lt;her&gt; &amp; '), document.slice(-1_000))
  t.false(document.includes('\0'))
})

test('a PDF has its fonts inside, as many pages as it needs, and every kind of letter that they have', async (t) => {
  const short = Buffer.from(await inPdf(page)).toString('latin1')
  t.true(short.startsWith('%PDF-'))
  t.regex(short, /FontFile[23]/)
  t.is(short.match(/\/Type \/Page\b(?!s)/g)?.length, 1)
  const long = aToldTranscript(
    ...Array.from({ length: 300 }, (_, at) => ({ text: `वाक्य ${at}`, speaker: `speaker-${at % 2}` })),
  )
  const pages = Buffer.from(await inPdf(pageOf({ title: 'long', result: long.result, notes: [], speakers: true })))
  t.true((pages.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0) > 3)
})

test('letters that no font here has cannot be printed; signs and figures of any kind can', (t) => {
  const said = (text: string) => pageOf({ title: 'a', ...aToldTranscript({ text }), notes: [], speakers: false })
  t.true(canBePrinted(page))
  t.true(canBePrinted(said('ज़रूरत Ångström ₹100 😀 → १२३')))
  for (const text of ['வணக்கம்', 'ধন্যবাদ', 'مرحبا', '你好']) t.false(canBePrinted(said(text)), text)
})
