import test from 'ava'

import { createHistory } from './history.ts'
import { timeline } from './report/timeline.ts'

const operationsOfAnHour = 300_000
const hourMs = 3_600_000

test('an hour of requests is drawn', (t) => {
  const history = createHistory()
  for (let at = 0; at < operationsOfAnHour; at += 1)
    history.operated({
      client: 'asha',
      verb: 'status',
      gateway: 'gateway-1',
      atMs: at * (hourMs / operationsOfAnHour),
      tookMs: 1,
      outcome: 'ok',
      about: '',
    })
  t.regex(timeline({ history, healedMs: hourMs, endedMs: hourMs }), /^<svg [^]*<\/svg>\n?$/)
})
