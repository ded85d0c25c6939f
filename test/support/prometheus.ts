import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { eventually } from './eventually.ts'
import { aFolder } from './folder.ts'
import { testWhere } from './test-where.ts'
import type { ConditionalTest } from './test-where.ts'

const wanted = { name: 'Prometheus', packages: ['prometheus'], programs: ['prometheus', 'promtool'] }

export function testWithPrometheus(): Promise<ConditionalTest> {
  return testWhere('what Prometheus makes of our files', () => ensurePackages(wanted))
}

export interface Prometheus {
  /** What an expression comes to now; rejects with Prometheus's own words where it is none. */
  query(expression: string): Promise<readonly unknown[]>
  /** Names of all that our processes have told or could tell. */
  metricNames(): Promise<ReadonlySet<string>>
  /** The expression of every alert, by its name. */
  alerts(): Promise<ReadonlyMap<string, string>>
}

/** Debian's Prometheus, which looks at these ports each second and evaluates our alerts. */
export async function aPrometheus(
  t: ExecutionContext,
  input: { readonly rules: string; readonly ports: Readonly<Record<string, number>> },
): Promise<Prometheus> {
  const [folder, port] = [await aFolder(t), await freePort()]
  const jobs = Object.entries(input.ports).map(([job, target]) => ({
    job_name: job,
    static_configs: [{ targets: [`127.0.0.1:${target}`] }],
  }))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [input.rules],
    scrape_configs: jobs,
  }
  // JSON is YAML
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  t.teardown(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  const ask = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const answer = (await response.json()) as { status: string; error?: string; data: Data } // as: its documented form
    if (answer.status !== 'success') throw new Error(answer.error)
    return answer.data
  }
  await eventually('Prometheus is there', () => ask('rules'))
  return {
    query: async (expression) =>
      (await ask<{ result: unknown[] }>(`query?query=${encodeURIComponent(expression)}`)).result,
    metricNames: async () => new Set(Object.keys(await ask<object>('metadata'))),
    async alerts() {
      const { groups } = await ask<{ groups: { rules: { name: string; query: string }[] }[] }>('rules')
      return new Map(groups.flatMap(({ rules }) => rules.map(({ name, query }) => [name, query])))
    },
  }
}
