import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { processEnvironment, readConfig } from '../../config/config.ts'
import { openLog } from '../../telemetry/log.ts'
import { findOwnBroker } from '../../up/own-broker.ts'
import { ensurePackages } from '../debian-packages.ts'
import { makeBrokerImage, makeNodeImage, makeVaakImage } from './base.ts'

/**
 * `npm run image`: builds the image where no registry of images can be reached, on a Debian of its own, and runs it as it is to be run: not as root,
 * with a root that nobody writes to and no rights. As root, on Debian.
 */

const programs = ['buildah', 'podman', 'runc', 'mmdebstrap']
const outputMaxBytes = 64 * 1024 * 1024
const environment = processEnvironment()
const config = readConfig(environment)
const folder = await mkdtemp(join(tmpdir(), 'vaak-image-'))

/** Where the limits of containers cannot be raised, podman's own are too high. */
const limits = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=1024:1024']
const asIntended = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges', '--tmpfs=/tmp']
const sample = '/opt/vaak/lib/node_modules/vaak/infra/samples/hinglish.wav'

try {
  await ensurePackages({ name: 'What builds and runs images', packages: programs, programs })
  const log = openLog({ level: config.logLevel, pii: config.logPii, role: 'image' })
  const nodeImage = await makeNodeImage(run, { folder, environment })
  const binary = await findOwnBroker(config, environment, log)
  const brokerImage = await makeBrokerImage(run, { folder, binary })
  const image = await makeVaakImage(run, { checkout: process.cwd(), nodeImage, brokerImage })
  const inside = ['run', '--rm', '--runtime=runc', '--network=host', ...limits, ...asIntended, image]
  process.stdout.write(`${image}\n${await run('podman', [...inside, '--version'])}`)
  process.stdout.write(await run('podman', [...inside, 'transcribe', sample]))
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function run(program: string, words: readonly string[]): Promise<string> {
  process.stderr.write(`${program} ${words.join(' ')}\n`)
  const { stdout } = await promisify(execFile)(program, words, { maxBuffer: outputMaxBytes })
  return stdout
}
