import type { Log } from '../../../actors/ports.ts'
import { cacheFolderOf } from '../../config/cache-folder.ts'
import { findNatsServer } from '../../nats-server/find.ts'
import { compareVersions, minimumVersion } from '../../nats-server/version.ts'
import { noProgress } from '../../telemetry/progress.ts'
import type { GivenArguments } from '../command.ts'
import { nodeNeeded, versionOfVaak } from '../version.ts'
import { broken, doubtful, healthy } from './diagnosis.ts'
import type { Examination, Diagnosis } from './diagnosis.ts'

/** What is installed here. */
export function lookAtPrograms(given: GivenArguments, log: Log): Examination {
  return {
    about: 'version',
    async look() {
      const { natsUrl } = given.config
      return [
        healthy('version.vaak', `This is Vaak ${await versionOfVaak()}.`),
        judgeNode(process.versions.node, await nodeNeeded()),
        ...(natsUrl === '' ? [await ownServer(given, log)] : []),
      ]
    },
  }
}

export function judgeNode(version: string, needed: string): Diagnosis {
  return compareVersions(version, needed) >= 0
    ? healthy('version.node', `Node.js ${version} is recent enough.`)
    : broken('version.node', `Node.js is ${version}.`, `Install Node.js ${needed} or later.`)
}

/** Where NATS_URL is empty one is started here. Nothing is fetched for a look. */
async function ownServer({ config, environment }: GivenArguments, log: Log): Promise<Diagnosis> {
  const check = 'version.nats-server'
  try {
    const { path, version } = await findNatsServer({
      configured: config.natsServerBin,
      searchPath: environment['PATH'] ?? '',
      cacheDir: cacheFolderOf({ config, environment }),
      log,
      startProgress: noProgress,
      sources: [],
    })
    return healthy(check, `nats-server ${version} is here: ${path}`)
  } catch (error) {
    const advice = `Install nats-server ${minimumVersion} or later, or set NATS_SERVER_BIN; or let "vaak up" fetch one.`
    return config.natsServerBin === ''
      ? doubtful(check, `No nats-server ${minimumVersion} or later is installed here.`, advice)
      : broken(check, error instanceof Error ? error.message : String(error), advice)
  }
}
