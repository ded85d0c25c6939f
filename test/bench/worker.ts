import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { eventually } from '../support/eventually.ts'
import { isFrozen } from '../support/frozen.ts'
import { gatewayEnvironment } from '../support/gateway.ts'
import type { BenchService } from './service.ts'

const program = fileURLToPath(new URL('../../infra/cli/vaak.js', import.meta.url))

export interface BenchWorker {
  /** Frozen when it resolves. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

/** A worker of that service, in a process of its own. */
export async function addWorker(
  service: BenchService,
  environment: Readonly<Record<string, string>>,
): Promise<BenchWorker> {
  const { PATH, HOME, VAAK_CACHE } = process.env
  const settings = { LOG_LEVEL: 'warn', METRICS_PORT: '0', ...environment }
  const child = fork(program, ['worker'], {
    env: {
      PATH,
      HOME,
      ...(VAAK_CACHE !== undefined && { VAAK_CACHE }),
      ...gatewayEnvironment(service.nats, { dataDir: service.folder, environment: settings }),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return {
    async pause() {
      child.kill('SIGSTOP')
      await eventually('the worker is frozen', () => isFrozen(child.pid ?? 0))
    },
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
