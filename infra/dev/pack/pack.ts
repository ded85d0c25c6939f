import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { versionOfVaak } from '../../cli/version.ts'
import { clientContents } from './client-contents.ts'
import { packageContents } from './contents.ts'
import type { PackedFile } from './packed-file.ts'
import { installedBytes, kilobytes, megabytes, sizesOf } from './sizes.ts'
import { writeTarball } from './tarball.ts'

/**
 * `npm run pack`: the file that `npm install --global` takes on machines of this kind, and the client by itself, for machines of any kind; with
 * what they weigh.
 */
const checkout = process.cwd()
const version = await versionOfVaak()

const client = await clientContents(checkout)
const clientFile = `vaak-client-${version}.tgz`
process.stdout.write(
  `${clientFile}: ${kilobytes(await packed(clientFile, client))} kB, installed ${kilobytes(installedBytes(client))} kB\n`,
)
const whole = await packageContents(checkout)
const file = `vaak-${version}-${process.platform}-${process.arch}.tgz`
process.stdout.write(`${file}: ${megabytes(await packed(file, whole))} MB\n${sizesOf(whole)}`)

/** Resolves with its size. */
async function packed(name: string, contents: readonly PackedFile[]): Promise<number> {
  const path = join(checkout, name)
  await writeTarball({ checkout, contents, file: path, level: 6 })
  return (await stat(path)).size
}
