import test from 'ava'

import type { Deed } from '../neighbours/good-tenant.ts'
import { compared, failures, neighboursText } from '../neighbours/report.ts'

const deeds = (what: string, ms: readonly number[], failure?: string): Deed[] =>
  ms.map((one) => ({ what, ms: one, failure }))

test('a deed is as much slower beside a hostile neighbour as its p95 against the p95 alone', (t) => {
  const calm = deeds('talk', [200, 200, 200, 200])
  const beside = deeds('talk', [300, 300, 300, 700])
  t.like(compared({ calm, beside, tally: {} })[0], {
    what: 'talk',
    times: 4,
    calmP95Ms: 200,
    besideP95Ms: 700,
    ratio: 3.5,
  })
})

test('what takes below a tenth of a second alone is compared with a tenth of a second', (t) => {
  const [list] = compared({ calm: deeds('list', [5]), beside: deeds('list', [250]), tally: {} })
  t.is(list?.ratio, 2.5)
})

test('what failed is told with its reason, alone or beside', (t) => {
  const report = {
    calm: deeds('list', [5]),
    beside: deeds('search', [9], 'answered 503'),
    tally: { 'many lists': { '200': 3, '429': 40 } },
  }
  t.deepEqual(failures(report), ['search: answered 503'])
  t.regex(neighboursText(report), /^FAILED search: answered 503$/m)
  t.regex(neighboursText(report), /^- many lists: 200 3 ×, 429 40 ×$/m)
})
