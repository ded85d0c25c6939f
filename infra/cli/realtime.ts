import { speechStreamPath, telephonePaths } from '../../actors/conversation/ports.ts'
import { cacheFolderOf } from '../config/cache-folder.ts'
import { setProcessVariable } from '../process/process-variable.ts'
import { runRole } from '../process/role.ts'
import type { RunningRole } from '../process/role.ts'
import { checkSocketPackage } from '../web/socket-package.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { openTelemetry } from './role-telemetry.ts'

/** Room for the longest token in a header; uWebSockets reads it from the environment when it is loaded. */
const headersMaxBytes = 16_384

export const realtimeCommand: Command = {
  name: 'realtime',
  summary: 'Run the server of voice sessions against a NATS of your own (NATS_URL).',
  help: `Usage: vaak realtime

Runs one server of voice sessions: WebSocket on HOST:REALTIME_PORT at /v1/realtime, a test page at /, Prometheus metrics
on METRICS_PORT. Needs NATS_URL, for API keys and the key that ephemeral tokens are signed with; start as many as you like.
Text is spoken while it is written at ${speechStreamPath}. Carriers connect telephone calls to
${telephonePaths.join(', ')}, with an API key or an ephemeral token of the user whose call it is.
LLM_BASE_URL and LLM_MODEL choose what answers; without them a small built-in agent does.
SIGTERM drains: what is being said is finished within SHUTDOWN_SECONDS, then sessions are closed with 1012.
`,
  options: {},
  async run(given) {
    const { config } = given
    if (config.natsUrl === '')
      throw new UsageError('NATS_URL is empty. Set it, or use "vaak up", which brings a nats-server of its own.')
    const { log, tracer } = await openTelemetry(config, 'realtime')
    setProcessVariable('UWS_HTTP_MAX_HEADERS_SIZE', String(headersMaxBytes))
    const start = async (): Promise<RunningRole> => {
      await checkSocketPackage()
      const { startRealtime } = await import('../../realtime/main.ts')
      return startRealtime(config, { log, tracer, cacheDir: cacheFolderOf(given) })
    }
    await runRole(start, { log, tracer, shutdownSeconds: config.shutdownSeconds })
  },
}
