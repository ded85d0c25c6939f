import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'

import { z } from 'zod'

import { socketFiles } from '../../web/socket-package.ts'
import { installedManifest, ownManifest } from './manifest.ts'
import { givenFile } from './packed-file.ts'
import type { PackedFile } from './packed-file.ts'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})
type Locked = z.infer<typeof lockSchema>['packages'][string]

const listingSchema = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })])

/** For who reads, compiles, tests or debugs a package; nothing that runs opens them. */
const notForRunning =
  /\.(?:map|[cm]?tsx?|tsbuildinfo|flow|coffee|c|cc|cpp|h|gyp|gypi|py)$|(?:^|\/)(?:CHANGELOG|HISTORY|CONTRIBUTING)[^/]*\.(?:md|markdown)$|^(?:\.github|benchmarks?|docs?|examples?|tests?)\//i

/** Packages with programs for every kind of machine, or with builds for browsers and tests: what we need of them. */
const neededOf: Readonly<Record<string, RegExp>> = {
  'node_modules/onnxruntime-node': new RegExp(
    `^(?:[^/]+|dist/.*|bin/napi-v\\d+/${process.platform}/${process.arch}/.*)$`,
  ),
  'node_modules/uWebSockets.js': new RegExp(
    `^(?:package\\.json|LICENSE|README\\.md|${socketFiles(process.platform, process.arch).join('|').replaceAll('.', '\\.')})$`,
  ),
  'node_modules/docx': /^(?!dist\/index\.(?:iife|umd)\.)/,
  'node_modules/fontkit': /^(?!dist\/browser)/,
  'node_modules/harfbuzzjs': /^(?!dist\/harfbuzz-subset\.)/,
  'node_modules/pdfkit': /^(?!\.yarn\/|js\/pdfkit\.(?:browser|standalone|old))/,
}

/**
 * Packages that others name and load only for what we never do: recording of calls, packages that are compiled, scripts of installing. npm wants to
 * find them.
 */
const neverLoaded = new Set(
  ['bluebird', 'mediabunny', 'mp4box', 'node-gyp', 'undici', 'unzipper'].map((name) => `node_modules/${name}`),
)
const toBeFound = /^(?:package\.json|licen[cs]e[^/]*)$/i

/** What goes into the package for machines like this one: our own files, and every package that they need, as the lock has it. */
export async function packageContents(checkout: string): Promise<readonly PackedFile[]> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(join(checkout, 'package-lock.json'), 'utf8')))
  const installed = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && existsSync(join(checkout, path)),
  )
  const parts = await Promise.all(installed.map(([path, locked]) => filesOf(checkout, path, locked)))
  return [...(await ownFiles(checkout)), ...parts.flat()]
}

/** As `files` in package.json names them. */
async function ownFiles(checkout: string): Promise<readonly PackedFile[]> {
  const options = { cwd: checkout, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], options)
  const [{ files }] = listingSchema.parse(JSON.parse(stdout))
  return Promise.all(
    files.map(async ({ path }) =>
      path === 'package.json' ? givenFile(path, await ownManifest(checkout)) : found(checkout, path),
    ),
  )
}

/** Packages in its own node_modules are in the lock by themselves. */
async function filesOf(checkout: string, folder: string, { hasInstallScript }: Locked): Promise<readonly PackedFile[]> {
  const needed = neverLoaded.has(folder) ? toBeFound : (neededOf[folder] ?? /^/)
  const entries = await readdir(join(checkout, folder), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(checkout, folder), join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('node_modules/') && needed.test(path) && !notForRunning.test(path))
  return Promise.all(
    paths.map(async (path) =>
      path === 'package.json' && hasInstallScript === true
        ? givenFile(join(folder, path), await installedManifest(checkout, folder))
        : found(checkout, join(folder, path)),
    ),
  )
}

async function found(checkout: string, path: string): Promise<PackedFile> {
  return { path, sizeBytes: (await stat(join(checkout, path))).size }
}
