import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { eventually } from './eventually.ts'
import { aFolder } from './folder.ts'

const wanted = { name: 'Prometheus', packages: ['prometheus'], programs: ['prometheus', 'promtool'] }

/** Resolves when it is installed. */
export function ensurePrometheus(): Promise<void> {
  return ensurePackages(wanted)
}

/** A time and a number in words, as Prometheus writes them. */
interface PrometheusSample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

export interface Prometheus {
  /** What an expression comes to now; rejects with Prometheus's own words where it is none. */
  query(expression: string): Promise<readonly PrometheusSample[]>
  /** Names of all that our processes have told or could tell. */
  metricNames(): Promise<ReadonlySet<string>>
  /** The expression of every alert, by its name. */
  alerts(): Promise<ReadonlyMap<string, string>>
}

type Ending = Pick<ExecutionContext, 'teardown'>

/** It looks at these ports each second and evaluates our alerts. */
export async function aPrometheus(
  t: ExecutionContext,
  input: { readonly rules: string; readonly ports: Readonly<Record<string, number>> },
): Promise<Prometheus> {
  const folder = await aFolder(t)
  const jobs = Object.entries(input.ports).map(([job, target]) => ({
    job_name: job,
    static_configs: [{ targets: [`127.0.0.1:${target}`] }],
  }))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [input.rules],
    scrape_configs: jobs,
  }
  const configFile = join(folder, 'prometheus.yml')
  // JSON is YAML
  await writeFile(configFile, JSON.stringify(config))
  return startPrometheus(t, { configFile, dataFolder: join(folder, 'data') })
}

/** Debian's, with a configuration that is there. */
export async function startPrometheus(
  t: Ending,
  { configFile, dataFolder }: { readonly configFile: string; readonly dataFolder: string },
): Promise<Prometheus> {
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${dataFolder}`,
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
      (await ask<{ result: PrometheusSample[] }>(`query?query=${encodeURIComponent(expression)}`)).result,
    metricNames: async () => new Set(Object.keys(await ask<object>('metadata'))),
    async alerts() {
      const { groups } = await ask<{ groups: { rules: { name: string; query: string }[] }[] }>('rules')
      return new Map(groups.flatMap(({ rules }) => rules.map(({ name, query }) => [name, query])))
    },
  }
}
