import test from 'ava'
import * as fc from 'fast-check'

import { figuresIn } from '../../../../infra/speech/text/numerals/figures.ts'
import { hindiNumbers } from '../../../../infra/speech/text/numerals/hindi-numbers.ts'

const figures: readonly (readonly [string, string])[] = [
  ['twenty five people', '25 people'],
  ['पच्चीस लोग आए', '25 लोग आए'],
  ['two hundred and five', '205'],
  ['दो हज़ार चौबीस में', '2024 में'],
  ['दो हजार चौबीस', '2024'],
  ['उन्नीस सौ सैंतालीस', '1947'],
  ['nineteen ninety nine', '1999'],
  ['twelve lakh thirty four thousand five hundred sixty seven', '12,34,567'],
  ['पाँच लाख', '5 लाख'],
  ['पांच लाख बीस हज़ार', '5,20,000'],
  ['डेढ़ करोड़', '1.5 करोड़'],
  ['सवा लाख', '1.25 लाख'],
  ['डेढ़ सौ', '150'],
  ['सौ रुपये', '₹100'],
  ['दो हज़ार पाँच सौ रुपये', '₹2,500'],
  ['पाँच लाख रुपये', '₹5 लाख'],
  ['a hundred rupees', '₹100'],
  ['ten million dollars', '$10 million'],
  ['fifty percent', '50%'],
  ['तीन दशमलव पाँच प्रतिशत', '3.5%'],
  ['25 percent', '25%'],
  ['ढाई बजे', '2:30 बजे'],
  ['साढ़े तीन बजे', '3:30 बजे'],
  ['पौने पाँच बजे', '4:45 बजे'],
  ['एक बजे', '1 बजे'],
  ['five thirty pm', '5:30 pm'],
  ['पंद्रह अगस्त', '15 अगस्त'],
  ['एक जनवरी', '1 जनवरी'],
  ['three point one four', '3.14'],
  ['nine eight seven six five four three two one zero', '9876543210'],
  ['double nine eight seven six', '99876'],
  ['अट्ठानवे छिहत्तर चौवन बत्तीस दस', '9876543210'],
]
const words = [
  'एक आदमी',
  'one day',
  'कर दो',
  'दो तीन लोग',
  'हज़ार बार',
  'लाख रुपये',
  'आठ नौ',
  'zero',
  'a man',
  'double trouble',
  'and so on',
]

for (const [spoken, written] of figures)
  test(`"${spoken}" is written ${written}`, (t) => {
    t.is(inFigures(spoken), written)
  })

for (const spoken of words)
  test(`"${spoken}" stays as it was said`, (t) => {
    t.is(inFigures(spoken), spoken)
  })

test('a number does not go on behind a mark', (t) => {
  t.is(inFigures('twenty, five hundred'), '20 500')
})

test('Hindi has a word for every number below a hundred, and no word for two', (t) => {
  t.deepEqual(
    [...new Set(hindiNumbers.values())].sort((one, other) => one - other),
    Array.from({ length: 100 }, (_, value) => value),
  )
})

test('spans are in order, and whatever was said, no word is in two of them', (t) => {
  const some = fc.constantFrom(...figures.flatMap(([spoken]) => spoken.split(' ')), 'और', 'the')
  fc.assert(
    fc.property(fc.array(some), fc.func(fc.boolean()), (said, marked) => {
      const spans = figuresIn(said.map((text, at) => ({ text, isMarked: marked(at) })))
      let until = 0
      for (const { from, to } of spans) {
        t.true(from >= until && to > from && to <= said.length)
        until = to
      }
    }),
  )
})

function inFigures(spoken: string): string {
  const said = spoken.split(' ')
  const spans = figuresIn(said.map((word) => ({ text: word.replace(',', ''), isMarked: word.endsWith(',') })))
  const written: string[] = []
  for (let at = 0; at < said.length;) {
    const span = spans.find(({ from }) => from === at)
    written.push(!span ? said[at]! : 'figure' in span ? span.figure : said[span.kept]!)
    at = span?.to ?? at + 1
  }
  return written.join(' ')
}
