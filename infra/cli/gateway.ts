import { configuredFaults } from '../process/faults.ts'
import { runRole } from '../process/role.ts'
import type { RunningRole } from '../process/role.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { openTelemetry } from './role-telemetry.ts'

export const gatewayCommand: Command = {
  name: 'gateway',
  summary: 'Run the REST gateway against a NATS of your own (NATS_URL).',
  help: `Usage: vaak gateway

Runs one gateway: REST API on HOST:PORT, Prometheus metrics on METRICS_PORT. Needs NATS_URL; several gateways may share
one NATS and one STORAGE_URL. UPLOAD_TO says where uploads are received: in storage, or in a spool under SPOOL_DIR (DATA_DIR).
SIGTERM drains: running requests end within SHUTDOWN_SECONDS, what is in the spool is taken up by the next start, or by another
gateway with the same SPOOL_DIR.
`,
  options: {},
  async run({ config }) {
    if (config.natsUrl === '')
      throw new UsageError('NATS_URL is empty. Set it, or use "vaak up", which brings a nats-server of its own.')
    const { log, tracer } = await openTelemetry(config, 'gateway')
    const faults = configuredFaults(config.faults)
    const start = async (): Promise<RunningRole> => {
      const { startGateway } = await import('../../gateway/main.ts')
      return startGateway(config, { log, faults, tracer })
    }
    await runRole(start, { log, tracer, shutdownSeconds: config.shutdownSeconds })
  },
}
