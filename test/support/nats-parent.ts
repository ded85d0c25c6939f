import { startNatsServer } from '../../infra/nats-server/supervise.ts'
import { silentLog } from './silent-log.ts'

/** A process that owns a nats-server, for tests that kill it: prints the server's pid and port, then lives on. */
const [binary = '', storeDir = '', endWithParent = ''] = process.argv.slice(2)
const server = await startNatsServer({ binary, storeDir, log: silentLog, endWithParent: endWithParent === 'true' })
process.stdout.write(`${JSON.stringify({ pid: server.pid, port: server.port })}\n`)
