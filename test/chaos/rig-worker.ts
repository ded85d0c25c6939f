import { missing } from '../../actors/bitset.ts'
import { runKey } from '../../actors/ids.ts'
import type { RunRef } from '../../actors/ids.ts'
import { startWorker } from '../../actors/main.ts'
import type { Blobs, Records } from '../../actors/ports.ts'
import type { RunCommand } from '../../actors/run/protocol.ts'
import { chunksOf } from '../../actors/run/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import { startWorkerActor } from '../../actors/worker/actor.ts'
import type { WorkerActor, WorkerOptions, WorkerPorts } from '../../actors/worker/actor.ts'
import { cacheFolderOf } from '../../infra/config/cache-folder.ts'
import { processEnvironment, readConfig } from '../../infra/config/config.ts'
import { configuredFaults } from '../../infra/process/faults.ts'
import { runRole } from '../../infra/process/role.ts'
import { openLog } from '../../infra/telemetry/log.ts'
import { isChaosBreak } from './breaks.ts'
import type { ChaosBreak } from './breaks.ts'
import { slowedBy } from './slow-storage.ts'

/**
 * `vaak worker` with a storage that is slow for as long as the file is there that its first word names. With a second word it is built
 * wrong in the way that it says.
 */

const resultPart = '/chunk/'
const [slowSign = '', word] = process.argv.slice(2)
if (word !== undefined && !isChaosBreak(word)) throw new Error(`there is no broken build ${JSON.stringify(word)}`)
const environment = processEnvironment()
const config = readConfig(environment)
const log = openLog({ level: config.logLevel, pii: config.logPii, role: 'worker' })
const start = () =>
  startWorker(config, {
    log,
    faults: configuredFaults(config.faults),
    cacheDir: cacheFolderOf({ config, environment }),
    throughStorage: (blobs) => slowedBy(slowSign, blobs),
    ...(word !== undefined && {
      startActor: (ports: WorkerPorts, options: WorkerOptions) => startBroken(word, ports, options),
    }),
  })
await runRole(start, { log, shutdownSeconds: config.shutdownSeconds })

function startBroken(broken: ChaosBreak, ports: WorkerPorts, options: WorkerOptions): WorkerActor {
  const actor = startWorkerActor(
    broken === 'overwrite-results' ? { ...ports, blobs: overwriting(ports.blobs) } : ports,
    options,
  )
  switch (broken) {
    case 'ack-first':
      return {
        ...actor,
        step: (delivered) => meanwhile(actor.step(delivered)),
        chunk: (delivered) => meanwhile(actor.chunk(delivered)),
        tellFile: (ref, commands) => meanwhile(actor.tellFile(ref, commands)),
        tellBatch: (at, commands) => meanwhile(actor.tellBatch(at, commands)),
      }
    case 'count-numbers':
      return {
        ...actor,
        tellFile: async (ref, commands) => actor.tellFile(ref, await miscounted(ports.runs, ref, commands)),
      }
    case 'no-sweeper':
      return { ...actor, keepSweeping: () => undefined }
    case 'overwrite-results':
      return actor
  }
}

/** What resolves is acknowledged, and this resolves at once. */
function meanwhile(work: Promise<void>): Promise<void> {
  work.catch((error: unknown) => log.warn('work was not done and does not come again', { error }))
  return Promise.resolve()
}

/** Each report that a chunk is done adds one, whichever it was: one that comes twice counts for another chunk. */
async function miscounted(
  runs: Records<RunState>,
  ref: RunRef,
  commands: readonly RunCommand[],
): Promise<readonly RunCommand[]> {
  const run = (await runs.read(runKey(ref)))?.value
  const chunks = run && chunksOf(run.progress)
  const next = chunks ? missing(chunks.issued, chunks.done, chunks.failed) : []
  return commands.map((command) =>
    command.type === 'ChunkDone' ? { ...command, chunk: next.shift() ?? command.chunk } : command,
  )
}

function overwriting(blobs: Blobs): Blobs {
  return {
    ...blobs,
    put(key, source, options = {}) {
      const { ifAbsent = false, ...rest } = options
      return blobs.put(key, source, { ...rest, ifAbsent: ifAbsent && !key.includes(resultPart) })
    },
  }
}
