import { readdirSync } from 'node:fs'

import { startWorker } from '../../actors/main.ts'
import { startGateway } from '../../gateway/main.ts'
import { cacheFolderOf } from '../../infra/config/cache-folder.ts'
import { processEnvironment, readConfig } from '../../infra/config/config.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { openLog } from '../../infra/telemetry/log.ts'
import { startRealtime } from '../../realtime/main.ts'
import type { WatchedName } from './watched-name.ts'

/** A role as a process of its own that says, when it is asked, what it holds. Run with `--expose-gc`. */

export interface Holdings {
  readonly heapMb: number
  readonly outsideHeapMb: number
  readonly residentMb: number
  readonly openFiles: number
  /** Timers, sockets, pipes: whatever keeps the event loop alive, by its kind. */
  readonly handles: Readonly<Record<string, number>>
}

const megabyte = 1024 * 1024
const role = process.argv[2] as WatchedName // as: only `watch` starts this
const environment = processEnvironment()
const config = readConfig(environment)
const given = {
  log: openLog({ level: config.logLevel, pii: false, role }),
  faults: noFaults,
  cacheDir: cacheFolderOf({ config, environment }),
}
const start = { gateway: startGateway, worker: startWorker, realtime: startRealtime }[role]
const running = await start(config, given)

process.on('message', () => void process.send?.(holdings()))
process.once('disconnect', () => void running.close().then(() => process.exit(0)))
process.send?.('url' in running ? running.url : '')

function holdings(): Holdings {
  // a second pass frees what the finalizers of the first let go
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const handles: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1
  return {
    heapMb: heapUsed / megabyte,
    outsideHeapMb: external / megabyte,
    residentMb: rss / megabyte,
    openFiles: readdirSync('/proc/self/fd').length,
    handles,
  }
}
