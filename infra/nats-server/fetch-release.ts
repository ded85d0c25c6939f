import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { runCommand } from '../process/run-command.ts'
import { haltingFetch } from '../timing/halting-fetch.ts'
import type { Progress } from '../telemetry/progress.ts'

/**
 * The project's own release, for machines that are not Debian. The archive is accepted by these hashes alone, wherever
 * it came from. Those of Linux are the ones the official Docker image of this version is built with; those of macOS come
 * from public build files that agree with it on Linux. None was computed by us from a download.
 */
export const pinnedRelease: Release = {
  version: '2.14.3',
  baseUrl: 'https://github.com/nats-io/nats-server/releases/download',
  sha256: {
    'linux-amd64': 'f3d0c820c749f81d717310fb00d4903919e70e3e66b268bd352a088b9788eb93',
    'linux-arm64': '1759b6a0ddebade9471b7c02891dfaa8c73b526c6f3ce391d4e21ec3eceffab8',
    'darwin-amd64': 'effa518fe623433d7c3321991db419bb1e00aa9b19ae761b559b580434afc3ab',
    'darwin-arm64': 'e086395457a7a93a440433a446c9f161f917d35c0374640555123e8d8d4b7fe9',
  },
}

export interface Release {
  readonly version: string
  readonly baseUrl: string
  /** By platform, as the release names it. */
  readonly sha256: Readonly<Record<string, string>>
}

const archiveBytesMax = 64 * 1024 * 1024
const downloadTimeoutMs = 300_000
const unpackTimeoutMs = 60_000

/** Resolves with the path of the program below `into`, an empty folder of the caller's. */
export async function fetchFromRelease(into: string, progress: Progress, release = pinnedRelease): Promise<string> {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const expected = release.sha256[platform]
  if (expected === undefined) throw new Error(`no release is pinned for ${platform}`)
  const name = `nats-server-v${release.version}-${platform}`
  const url = `${release.baseUrl}/v${release.version}/${name}.tar.gz`
  const archive = join(into, 'release.tar.gz')
  const actual = await download(url, archive, progress)
  if (actual !== expected) throw new Error(`${url} has sha256 ${actual}, but ${expected} is pinned: it is not used`)
  await runCommand({
    program: 'tar',
    args: ['-xzf', archive, '-C', into, `${name}/nats-server`],
    timeoutMs: unpackTimeoutMs,
  })
  return join(into, name, 'nats-server')
}

/** Streams to a file and resolves with its sha256. */
async function download(url: string, path: string, progress: Progress): Promise<string> {
  const response = await haltingFetch(url, {
    redirect: 'follow',
    signal: AbortSignal.timeout(downloadTimeoutMs),
  }).catch((error: unknown) => {
    throw new Error(`${url} could not be reached`, { cause: error })
  })
  if (!response.ok || !response.body) throw new Error(`${url} answered with status ${response.status}`)
  const totalBytes = Number(response.headers.get('content-length')) || archiveBytesMax
  const hash = createHash('sha256')
  let receivedBytes = 0
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length
      hash.update(chunk)
      progress.update(receivedBytes / totalBytes)
      if (receivedBytes > archiveBytesMax) return done(new Error(`${url} is larger than ${archiveBytesMax} bytes`))
      done(null, chunk)
    },
  })
  await pipeline(Readable.fromWeb(response.body), watch, createWriteStream(path, { mode: 0o600 }))
  return hash.digest('hex')
}
