import { cacheFolderOf } from '../config/cache-folder.ts'
import { collectSeldom } from '../process/collect-seldom.ts'
import { configuredFaults } from '../process/faults.ts'
import { giveWay } from '../process/give-way.ts'
import { runRole } from '../process/role.ts'
import type { RunningRole } from '../process/role.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { openTelemetry } from './role-telemetry.ts'

export const workerCommand: Command = {
  name: 'worker',
  summary: 'Run a worker that transcribes batches, against a NATS of your own (NATS_URL).',
  help: `Usage: vaak worker

Runs one worker: WORKER_MODE=file cuts files and puts their words together, WORKER_MODE=chunk hears chunks, and without
it one worker does both. With HEALTH_PORT it answers /healthz and /readyz there,
with WORKER_METRICS_PORT Prometheus. Start as many as you like, wherever NATS_URL and STORAGE_URL can be reached.
SIGTERM drains: what is in hand ends within SHUTDOWN_SECONDS or is given back for another worker.
`,
  options: {},
  async run(given) {
    const { config } = given
    if (config.natsUrl === '')
      throw new UsageError('NATS_URL is empty. Set it, or use "vaak up", which brings a nats-server of its own.')
    const { log, tracer } = await openTelemetry(config, 'worker')
    giveWay(config.workerNiceness)
    collectSeldom()
    const faults = configuredFaults(config.faults)
    const start = async (): Promise<RunningRole> => {
      const { startWorker } = await import('../../actors/main.ts')
      return startWorker(config, { log, faults, tracer, cacheDir: cacheFolderOf(given) })
    }
    await runRole(start, { log, tracer, shutdownSeconds: config.shutdownSeconds })
  },
}
