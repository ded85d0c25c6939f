import type { Log } from '../../actors/ports.ts'
import type { Config } from '../config/config.ts'
import type { BrokerRole } from '../nats/topology/roles.ts'
import { openLog } from '../telemetry/log.ts'
import { openTracer } from '../telemetry/tracer.ts'
import type { RunningTracer } from '../telemetry/tracer.ts'
import { systemClock } from '../timing/clock.ts'
import { versionOfVaak } from './version.ts'

interface RoleTelemetry {
  readonly log: Log
  /** Absent: nobody is told of traces. */
  readonly tracer?: RunningTracer
}

/** Of a process that serves: lines of its log say where they belong, if anybody follows that. */
export async function openTelemetry(config: Config, role: BrokerRole): Promise<RoleTelemetry> {
  const { logLevel: level, logPii: pii, otelEndpoint: endpoint } = config
  if (endpoint === '') return { log: openLog({ level, pii, role }) }
  const log = openLog({ level, pii, role, belongsTo: () => tracer.current() })
  const tracer: RunningTracer = openTracer({
    endpoint,
    headers: Object.fromEntries(config.otelHeaders),
    resource: {
      'service.name': config.otelServiceName === '' ? `vaak-${role}` : config.otelServiceName,
      'service.version': await versionOfVaak(),
      'process.pid': process.pid,
      'vaak.role': role,
    },
    share: config.otelShare,
    clock: systemClock,
    log,
  })
  return { log, tracer }
}
