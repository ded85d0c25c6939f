import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

import { freePort } from '../../infra/process/free-port.ts'
import { dashboardExpressions } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayEnvironment } from '../support/gateway.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { startVaak } from '../support/processes.ts'
import { aPrometheus, ensurePrometheus } from '../support/prometheus.ts'
import type { Prometheus } from '../support/prometheus.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { testWhere } from '../support/test-where.ts'

const run = promisify(execFile)
const withPrometheus = await testWhere('what Prometheus makes of our files', ensurePrometheus)

const rules = resolve('infra/deploy/prometheus/vaak-rules.yml')
const ruleTests = 'test/fixtures/prometheus/vaak-rules.test.yml'

/** Those that nobody tells: a panel with one stays empty for ever, and an alert silent. */
function unknownMetrics(expression: string, known: ReadonlySet<string>): string[] {
  const named = expression.match(/\bvaak_\w+/g) ?? []
  return named.filter((name) => !known.has(name) && !known.has(name.replace(/_(?:bucket|count|sum)$/, '')))
}

withPrometheus('every alert comes when it should, says what to do, and stays away when all is well', async (t) => {
  const { stdout } = await run('promtool', ['test', 'rules', ruleTests])
  t.regex(stdout, /SUCCESS/)
  const alerts = (await readFile(rules, 'utf8')).match(/(?<=alert: )\w+/g) ?? []
  const tested = await readFile(ruleTests, 'utf8')
  t.true(alerts.length > 0)
  for (const alert of alerts) t.is(tested.split(`alertname: ${alert}`).length - 1, 2, `${alert} is tested both ways`)
})

withPrometheus('the example of a configuration is one, and has our alerts', async (t) => {
  const { stdout } = await run('promtool', ['check', 'config', 'infra/deploy/prometheus/prometheus.yml'])
  t.regex(stdout, /1 rule files found/)
})

withPrometheus(
  'every panel and every alert asks for what our processes tell, and panels have something to show',
  async (t) => {
    const ports = {
      'vaak-gateway': await freePort(),
      'vaak-worker': await freePort(),
      'vaak-realtime': await freePort(),
    }
    const nats = await aNatsServer(t)
    const { api, dataDir, submit, startWorker } = await aPipeline(t, nats, {
      METRICS_PORT: String(ports['vaak-gateway']),
    })
    await startWorker({ WORKER_METRICS_PORT: String(ports['vaak-worker']) })
    const realtime = startVaak(t, ['realtime'], {
      ...gatewayEnvironment(nats, { dataDir }),
      REALTIME_PORT: '0',
      REALTIME_METRICS_PORT: String(ports['vaak-realtime']),
    })
    await realtime.ready()
    await api.as('wrong').get('/files')
    await (await submit([{ name: 'fine.wav', content: aScriptedRecording(scriptedSeconds(3)) }])).finished()

    const prometheus = await aPrometheus(t, { rules, ports })
    await eventually('all three were looked at', async () => (await prometheus.query('up == 1')).length === 3)
    const known = await eventually('what they tell is known', async () => {
      const names = await prometheus.metricNames()
      return names.has('vaak_realtime_stage_seconds') && names.has('vaak_work_seconds') && names
    })
    const expressions = await dashboardExpressions()
    t.true(expressions.length > 20)
    for (const [title, expression] of expressions) t.deepEqual(unknownMetrics(expression, known), [], title)
    const alerts = await prometheus.alerts()
    for (const [name, expression] of alerts) {
      t.deepEqual(unknownMetrics(expression, known), [], name)
      await t.notThrowsAsync(prometheus.query(expression), name)
    }
    await eventually(
      'every panel shows something',
      async () => (await emptyPanels(prometheus, expressions)).length === 0,
    )
    t.pass()
  },
)

/** Without those of which there was nothing to tell: no recording was refused, no write decided again, nobody spoke. */
async function emptyPanels(
  prometheus: Prometheus,
  expressions: readonly (readonly [title: string, expression: string])[],
): Promise<string[]> {
  const untold = new Set([
    'Recordings refused',
    'Writes decided again',
    'Stages of a turn (p95)',
    'Tried again, came again, given back',
  ])
  const asked = expressions.filter(([title]) => !untold.has(title))
  const results = await Promise.all(asked.map(([, expression]) => prometheus.query(expression)))
  return asked.flatMap(([title], index) => (results[index]!.length === 0 ? [title] : []))
}
