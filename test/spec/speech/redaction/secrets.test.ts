import test from 'ava'
import * as fc from 'fast-check'

import { redactionKinds } from '../../../../actors/transcript/state.ts'
import type { RedactionKind } from '../../../../actors/transcript/state.ts'
import { isLuhnValid, isVerhoeffValid } from '../../../../infra/speech/redaction/checksums.ts'
import { secretsIn } from '../../../../infra/speech/redaction/spans.ts'

/** Names have a test of their own. */
const numbersAndAddresses = redactionKinds.filter((kind) => kind !== 'name')

function written(text: string, kinds: readonly RedactionKind[] = numbersAndAddresses): string {
  const words = text.split(' ')
  const spans = secretsIn(words, new Set(kinds))
  return spans
    .toReversed()
    .reduce((all, { from, to, kind }) => all.toSpliced(from, to - from, `[${kind}]`), words)
    .join(' ')
}

const table: readonly (readonly [said: string, left: string])[] = [
  // in figures, in both scripts
  ['मेरा नंबर 9876543210 है', 'मेरा नंबर [phone] है'],
  ['call +91 98765 43210 now', 'call [phone] now'],
  ['मेरा नंबर ९८७६५ ४३२१० है', 'मेरा नंबर [phone] है'],
  ['मेरा नंबर 98765-43210, ठीक', 'मेरा नंबर [phone] ठीक'],
  // digit by digit
  ['मेरा नंबर नौ आठ सात छह पाँच चार तीन दो एक शून्य है', 'मेरा नंबर [phone] है'],
  ['it is nine eight seven six five four three two one zero okay bye', 'it is [phone] okay bye'],
  ['number नाइन एट सेवन सिक्स फाइव फोर थ्री टू वन ज़ीरो है', 'number [phone] है'],
  ['mera number nau aath saat chhe paanch char teen do ek shunya hai', 'mera number [phone] hai'],
  ['it is double nine eight triple seven six five four three', 'it is [phone]'],
  ['डबल नौ आठ ट्रिपल सात छह पाँच चार तीन', '[phone]'],
  ['nine eight seven oh five four three two one oh', '[phone]'],
  // in pairs, and with what people say between
  ['ninety eight seventy six fifty four thirty two ten', '[phone]'],
  ['ninety-eight seventy-six fifty-four thirty-two ten', '[phone]'],
  ['अट्ठानवे छिहत्तर चौवन बत्तीस दस', '[phone]'],
  ['nine eight seven six five, haan, four three two one zero', '[phone]'],
  ['नौ आठ सात छह पाँच जी हाँ फिर चार तीन दो एक शून्य', '[phone]'],
  ['98765 just a moment 43210', '[phone] just a moment [phone]'],
  // landlines, and numbers of other countries
  ['zero two two two three four five six seven eight nine', '[phone]'],
  ['plus four four two zero seven nine four six zero nine five eight', '[phone]'],
  ['our phone is 2345 6789', 'our phone is [phone]'],
  // cards, by their checksum or by name
  ['4111 1111 1111 1111', '[card]'],
  ['four one double one triple one one double one double one double one double one', '[card]'],
  ['चार एक एक एक एक एक एक एक एक एक एक एक एक एक एक एक', '[card]'],
  ['4111 1111 1111 1111 twelve twenty-nine 123', '[card]'],
  ['the card is 4111 1111 1111 1112', 'the card is [card]'],
  // what goes with a card
  [
    'card number 4111 1111 1111 1111 expiry 12/27 and the cvv is 123 thanks',
    'card number [card] expiry [card] and the cvv is [card] thanks',
  ],
  ['my cvv is one two three', 'my cvv is [card]'],
  ['one two three is my cvv', '[card] is my cvv'],
  ['सीवीवी वन टू थ्री है', 'सीवीवी [card] है'],
  ['मेरा पिन चार पाँच छह सात है', 'मेरा पिन [card] है'],
  ['the OTP is 482 913 okay', 'the OTP is [card] okay'],
  ['कार्ड की वैलिडिटी दिसंबर 2027 तक है', 'कार्ड की वैलिडिटी [card] तक है'],
  ['my debit card expires twelve twenty-seven', 'my debit card expires [card]'],
  // Aadhaar
  ['2345 6789 0124', '[aadhaar]'],
  ['दो तीन चार पाँच छह सात आठ नौ शून्य एक दो चार', '[aadhaar]'],
  ['आधार 2345 6789 0125 है', 'आधार [aadhaar] है'],
  // PAN
  ['PAN ABCPE1234F', 'PAN [pan]'],
  ['a b c p e one two three four f', '[pan]'],
  ['पैन नंबर ए बी सी पी ई एक दो तीन चार एफ है', 'पैन नंबर [pan] है'],
  ['A for apple B for boy C for cat P for Pune E for egg 1 2 3 4 F', '[pan]'],
  ['AABPE 12 34 F.', '[pan]'],
  // e-mail
  ['write to asha.kumar@example.com today', 'write to [email] today'],
  ['my email is asha dot kumar at gmail dot com', 'my email is [email]'],
  ['मेरा ईमेल आशा डॉट कुमार एट द रेट जीमेल डॉट कॉम है', 'मेरा ईमेल [email] है'],
  ['mail a s h a nine at the rate yahoo dot co dot in please', 'mail [email] please'],
  ['पैसे asha@okaxis पर भेजो', 'पैसे [email] पर भेजो'],
  // accounts
  ['account number 1234 5678 9', 'account number [account]'],
  ['मेरा खाता एक दो तीन चार पाँच छह सात आठ नौ', 'मेरा खाता [account]'],
  ['50100123456789', '[account]'],
]
for (const [said, left] of table) test(`“${said}” is given out as “${left}”`, (t) => t.is(written(said), left))

const untouched = [
  'मैं पाँच लाख रुपये लाया और दो दिन रहा',
  'we met in nineteen ninety eight and again in 2026',
  'it costs ₹98,76,543 or 98,765 rupees',
  'the years 2019 2020 2021 were hard',
  'one two three four five six seven eight nine ten',
  'the train leaves at 12:30 on 12/11/2026 with 45 people',
  'एक दो तीन चार पाँच छह सात',
  'pin code 400001',
  'पिन कोड 4000 है',
  'the medicine expires 12/27',
  'cvv is on the back and I live in room 404 on the left side',
  'the pin is 400001',
  'I will be at the office dot',
  'do you know what I do',
  'look at the rate of interest in India',
  'a b c d e',
  'ए जी सुनो जी ये के लिए है',
]
for (const said of untouched) test(`“${said}” stays as it is`, (t) => t.is(written(said), said))

test('what is not asked for stays', (t) => {
  t.is(written('call 9876543210', ['card', 'email']), 'call 9876543210')
  t.is(written('4111 1111 1111 1111', ['card']), '[card]')
})

const digit = fc.integer({ min: 0, max: 9 })
const rest = fc.array(digit, { minLength: 9, maxLength: 9 }).map((digits) => digits.join(''))
const mobile = fc.tuple(fc.integer({ min: 6, max: 9 }), rest).map(([first, more]) => `${first}${more}`)
const sayings: readonly (readonly string[])[] = [
  'zero one two three four five six seven eight nine'.split(' '),
  'शून्य एक दो तीन चार पाँच छह सात आठ नौ'.split(' '),
  'ज़ीरो वन टू थ्री फोर फाइव सिक्स सेवन एट नाइन'.split(' '),
  'शून्य one दो three चार five छह seven आठ nine'.split(' '),
  '0123456789'.split(''),
  '०१२३४५६७८९'.split(''),
  '০১২৩৪৫৬৭৮৯'.split(''),
]

test('every mobile number is found, however its digits are said and wherever somebody pauses', (t) => {
  fc.assert(
    fc.property(mobile, fc.constantFrom(...sayings), fc.array(fc.nat(9)), (number, saying, pauses) => {
      const words = number.split('').map((one, at) => saying[Number(one)]! + (pauses.includes(at) ? ',' : ''))
      const said = ['please', 'note', ...words, 'thanks']
      t.deepEqual(secretsIn(said, new Set(['phone'])), [{ from: 2, to: 12, kind: 'phone' }])
    }),
  )
})

test('figures of a mobile number are found in whatever groups they are written', (t) => {
  fc.assert(
    fc.property(mobile, fc.uniqueArray(fc.integer({ min: 1, max: 9 })), (number, cuts) => {
      const edges = [0, ...cuts.toSorted((one, other) => one - other), number.length]
      const groups = edges.slice(1).map((to, at) => number.slice(edges[at], to))
      t.is(written(groups.join(' '), ['phone']), '[phone]')
    }),
  )
})

test('a checksum notices every single wrong digit', (t) => {
  const longer = fc.array(digit, { minLength: 11, maxLength: 18 }).map((digits) => digits.join(''))
  fc.assert(
    fc.property(longer, fc.nat(17), fc.integer({ min: 1, max: 9 }), (digits, place, by) => {
      for (const isValid of [isLuhnValid, isVerhoeffValid]) {
        const valid = Array.from({ length: 10 }, (_, check) => `${digits}${check}`).filter(isValid)
        t.is(valid.length, 1)
        const at = place % digits.length
        const wrong = (Number(valid[0]![at]) + by) % 10
        t.false(isValid(`${valid[0]!.slice(0, at)}${wrong}${valid[0]!.slice(at + 1)}`))
      }
    }),
  )
})

test('spans are in order, inside the words and apart, whatever is said', (t) => {
  const word = fc.oneof(
    fc.constantFrom('nine', 'डबल', '@', 'dot', 'com', 'at', 'A', '98765', '+', 'फॉर', 'plus', 'ninety', '', '[phone]'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      let last = 0
      for (const { from, to } of secretsIn(words, new Set(redactionKinds))) {
        t.true(from >= last && to > from && to <= words.length)
        last = to
      }
    }),
  )
})
