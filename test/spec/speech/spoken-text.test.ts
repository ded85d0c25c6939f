import test from 'ava'
import * as fc from 'fast-check'

import type { VoiceLanguage } from '../../../infra/speech/tts/languages.ts'
import { spokenText } from '../../../infra/speech/tts/spoken-text.ts'

function said(text: string, voice: VoiceLanguage): string {
  const { language, words } = spokenText(text, voice)
  const line = words.filter(({ spoken }) => spoken !== '').map(({ spoken, pause }) => spoken + pause)
  return `${language}: ${line.join(' ')}`
}

for (const [voice, written, spoken] of [
  // numbers and money
  ['en', 'It costs $5.50.', 'en: It costs 5 dollars 50 cents.'],
  ['en', 'I paid ₹1,25,000 and ₹1', 'en: I paid 1 lakh 25000 rupees and 1 rupee'],
  ['en', '₹5 crore', 'en: 5 crore rupees'],
  ['en', 'Rs. 500 only', 'en: 500 rupees only'],
  ['hi', 'मुझे ₹1,25,000 चाहिए।', 'hi: मुझे 125000 रुपये चाहिए.'],
  ['hi', 'यह १२ रु. का है', 'hi: यह 12 रुपये का है'],
  ['ta', 'விலை ₹500.', 'ta: விலை 500 ரூபாய்.'],
  ['hi', 'छूट 20% है', 'hi: छूट 20 प्रतिशत है'],
  ['en', 'It is -5 degrees and 20°C', 'en: It is minus 5 degrees and 20 degrees Celsius'],
  ['en', 'Call +91 9876543210', 'en: Call 9 1 9 8 7 6 5 4 3 2 1 0'],
  ['en', 'pages 10-20', 'en: pages 10 to 20'],
  ['hi', 'पृष्ठ 10-20 देखो', 'hi: पृष्ठ 10 से 20 देखो'],
  // dates and times
  ['en', 'on 4/3/2024', 'en: on 4 March 20 24'],
  ['hi', 'तारीख 15-08-1947 थी', 'hi: तारीख 15 अगस्त 1947 थी'],
  ['ta', 'நாள் 2024-01-26 ஆகும்', 'ta: நாள் 26 ஜனவரி 2024 ஆகும்'],
  ['en', 'in 1999 and in 2005 and in 1905', 'en: in 19 99 and in 2005 and in 19 oh 5'],
  ['en', 'It cost 1999 rupees', 'en: It cost 1999 rupees'],
  ['en', 'at 10:30 or 5pm or 9:05', 'en: at 10 30 or 5 P.M or 9 oh 5'],
  ['hi', 'सुबह 10:30 बजे', 'hi: सुबह साढ़े 10 बजे'],
  ['hi', 'समय 9:20 है', 'hi: समय 9 बजकर 20 मिनट है'],
  ['ta', 'நேரம் 9:20 இப்போது', 'ta: நேரம் 9 மணி 20 நிமிடம் இப்போது'],
  // abbreviations and signs
  ['en', 'Dr. Rao vs. Prof. Iyer, etc.', 'en: doctor Rao versus professor Iyer, etcetera.'],
  ['hi', 'डॉ. राव आए', 'hi: डॉक्टर राव आए'],
  ['en', 'Your OTP for UPI', 'en: Your O.T.P for U.P.I'],
  ['hi', 'आपका OTP आया', 'hi: आपका ओ टी पी आया'],
  ['en', 'NASA and ISRO', 'en: NASA and ISRO'],
  ['en', 'The R&D lab @ home', 'en: The R and D lab at home'],
  ['en', 'write to help@vaak.in', 'en: write to help at vaak dot in'],
  ['en', 'go 5km & stop', 'en: go 5 kilometres and stop'],
  // which language
  ['hi', 'Kal meeting hai, please time pe aana.', 'hi: कल meeting है, please time पे आना.'],
  ['en', 'Main ghar ja raha hoon.', 'hi: मैं घर जा रहा हूँ.'],
  ['en', 'The main problem is to be solved by the bank.', 'en: The main problem is to be solved by the bank.'],
  ['hi', 'The train is late today.', 'en: The train is late today.'],
  ['ta', 'இந்த meeting முக்கியம்.', 'ta: இந்த meeting முக்கியம்.'],
  ['en', '12', 'en: 12'],
  ['hi', '12', 'hi: 12'],
  // nothing to say
  ['en', '😀 — … ***', 'en: '],
  ['hi', 'वाह 🎉!', 'hi: वाह'],
] as const)
  test(`${voice}: ${JSON.stringify(written)} is read ${JSON.stringify(spoken)}`, (t) =>
    t.is(said(written, voice), spoken))

test('whatever is written, each written word has its place, and what is spoken is plain words', (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 240 }),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.stringMatching(/^[₹$0-9,.:/ %a-zA-Zअ-ह<>[\]-]{0,120}$/),
  )
  const voices = fc.constantFrom<VoiceLanguage>('hi', 'ta', 'en')
  fc.assert(
    fc.property(text, voices, (written, voice) => {
      const { words } = spokenText(written, voice)
      t.deepEqual(
        words.map((word) => word.written),
        written.split(/\s+/u).filter(Boolean),
      )
      for (const { spoken } of words) t.notRegex(spoken, /[<>[\]{}&\p{Cc}\p{Cs}\n]|^\s|\s$|\s\s/u)
    }),
  )
})
