import test from 'ava'

import { openMetrics } from '../../infra/telemetry/metrics.ts'
import { watchRefusedCallers } from '../../infra/telemetry/refused-callers.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'

test('refused callers are all counted, and a flood of them does not fill the log', async (t) => {
  const [metrics, log, clock] = [openMetrics(), aLog(), aManualClock()]
  const refused = watchRefusedCallers({ metrics, log, clock })
  for (let times = 0; times < 1_000; times += 1) refused('api_key', { route: 'listFiles' })
  t.is(log.lines.length, 20)
  clock.advance(60_000)
  refused('none', {})
  t.like(log.lines.at(-1), { message: 'caller refused', facts: { credential: 'none', leftOut: 980 } })
  t.regex(await metrics.text(), /vaak_callers_refused_total\{credential="api_key"\} 1000\n/)
})
