import test from 'ava'

import {
  clockTime,
  inDevanagariDigits,
  indianGrouping,
  plainNumber,
} from '../../../../infra/speech/text/numerals/write-number.ts'

test('figures are grouped in the Indian way: three digits, then pairs', (t) => {
  t.deepEqual([7, 999, 1000, 99_999, 100_000, 1_234_567, 10_000_000, 2500.5].map(indianGrouping), [
    '7',
    '999',
    '1,000',
    '99,999',
    '1,00,000',
    '12,34,567',
    '1,00,00,000',
    '2,500.5',
  ])
})

test('four digits alone are not grouped, because they are mostly a year', (t) => {
  t.deepEqual([2024, 9999, 10_000].map(plainNumber), ['2024', '9999', '10,000'])
})

test('halves and quarters of an hour are minutes', (t) => {
  t.deepEqual([2.5, 4.75, 3.25, 7].map(clockTime), ['2:30', '4:45', '3:15', '7'])
})

test('digits may be Devanagari', (t) => {
  t.is(inDevanagariDigits('₹12,34,567 और 0%'), '₹१२,३४,५६७ और ०%')
})
