import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ClusterMember } from './members.ts'

const rules = fileURLToPath(new URL('../../../../infra/deploy/prometheus/vaak-rules.yml', import.meta.url))

/** For a Prometheus that looks at every process of the cluster, with the alerts that we ship. Resolves with its path. */
export async function writePrometheusConfig(folder: string, members: readonly ClusterMember[]): Promise<string> {
  const roles = [...new Set(members.map(({ role }) => role))]
  const config = {
    global: { scrape_interval: '5s' },
    rule_files: [rules],
    scrape_configs: roles.map((role) => ({
      job_name: `vaak-${role}`,
      static_configs: [
        {
          targets: members.filter((one) => one.role === role).map(({ metricsPort }) => `127.0.0.1:${metricsPort}`),
        },
      ],
    })),
  }
  const path = join(folder, 'prometheus.yml')
  // JSON is YAML
  await writeFile(path, JSON.stringify(config, null, 2))
  return path
}
