import { execFile } from 'node:child_process'
import { copyFile, link, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { packageContents } from '../../infra/dev/pack/contents.ts'
import type { PackedFile } from '../../infra/dev/pack/packed-file.ts'
import { writeTarball } from '../../infra/dev/pack/tarball.ts'
import { inCheckout } from './checkout.ts'

/** Vaak where nothing of this checkout is, as `npm install --global` puts it there. */
export interface Installation {
  /** What a shell finds. */
  readonly program: string
  /** Of the package. */
  readonly home: string
  /** All that was packed. */
  readonly contents: readonly PackedFile[]
  remove(): Promise<void>
}

/** Models and binaries. To squeeze and unpack them takes a minute, and tells of gzip only. */
const heavyBytes = 1024 * 1024

/** Without a network, in an empty home, by an npm that runs the scripts of packages. */
export async function installVaak(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'vaak-test-install-'))
  const checkout = inCheckout()
  const contents = await packageContents(checkout)
  const isHeavy = ({ sizeBytes }: PackedFile): boolean => sizeBytes > heavyBytes
  const file = join(folder, 'vaak.tgz')
  await writeTarball({ checkout, contents: contents.filter((one) => !isHeavy(one)), file, level: 1 })
  const prefix = join(folder, 'prefix')
  await promisify(execFile)('npm', ['install', '--global', '--offline', '--prefix', prefix, file], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: join(folder, 'home') },
  })
  const home = join(prefix, 'lib', 'node_modules', 'vaak')
  for (const { path } of contents.filter(isHeavy)) await put(join(checkout, path), join(home, path))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  return { program: join(prefix, 'bin', 'vaak'), home, contents, remove }
}

async function put(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await link(source, target).catch(() => copyFile(source, target)) // no link leads to another disk
}
