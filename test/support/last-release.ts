import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { ExecutionContext } from 'ava'

import { aFolder } from './folder.ts'

const run = promisify(execFile)

/** What is in use elsewhere while this version is made: set to the commit of each release. */
const lastRelease = 'ef839ab4193e5242a357bf5423954ffff55fdc80'

/** Tests need no models, which are most of it by size. */
const parts = ['actors', 'gateway', 'realtime', 'infra', 'package.json', 'tsconfig.json']
const without = ['onnx', 'bin'].map((ending) => `:!infra/speech/models/*/*.${ending}`)

/** Rejects in a copy of this repository that does not know its history. */
export async function lastReleaseIsKnown(): Promise<void> {
  await run('git', ['cat-file', '-e', `${lastRelease}^{commit}`])
}

export async function theLastRelease(t: ExecutionContext): Promise<string> {
  return buildLastRelease(await aFolder(t))
}

/** The program of the last release, built from its own source; it runs with what this version depends on. */
export async function buildLastRelease(folder: string): Promise<string> {
  const archive = join(folder, 'release.tar')
  await run('git', ['archive', '--output', archive, lastRelease, '--', ...parts, ...without])
  await run('tar', ['--extract', '--file', archive, '--directory', folder])
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const project = join(folder, 'tsconfig.release.json')
  const compilerOptions = { noCheck: true, incremental: false, sourceMap: false }
  await writeFile(
    project,
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions,
      include: ['actors', 'gateway', 'realtime', 'infra'],
    }),
  )
  await run(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '--project', project])
  return join(folder, '.build', 'infra', 'cli', 'vaak.js')
}
