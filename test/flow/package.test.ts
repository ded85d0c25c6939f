import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { versionOfVaak } from '../../infra/cli/version.ts'
import { clientContents } from '../../infra/dev/pack/client-contents.ts'
import { sizesOf, installedBytes } from '../../infra/dev/pack/sizes.ts'
import { writeTarball } from '../../infra/dev/pack/tarball.ts'
import { inCheckout } from '../support/checkout.ts'
import { aFolder } from '../support/folder.ts'
import { installVaak } from '../support/installation.ts'
import type { Installation } from '../support/installation.ts'
import { natsServerForTests } from '../support/nats.ts'
import { startProgram } from '../support/processes.ts'
import type { VaakProcess } from '../support/processes.ts'
import { sampleSays } from '../support/sample-words.ts'

/** The package that `npm run pack` makes, as who installs it has it. */

const run = promisify(execFile)
/** npm unpacks six thousand files, on a machine with other things to do. */
const installWithinMs = 600_000
const installedBytesMax = 470e6
const clientBytesMax = 200e3
const quiet = { PORT: '0', METRICS_PORT: '0', REALTIME_PORT: '0', LOG_LEVEL: 'error', SHUTDOWN_SECONDS: '2' }
let vaak: Installation

test.before(async (t) => {
  t.timeout(installWithinMs)
  await natsServerForTests()
  vaak = await installVaak()
})

test.after.always(() => vaak?.remove())

test('no package in it has a script that runs when it is installed', async (t) => {
  const manifests = vaak.contents.filter(({ path }) => path.endsWith('package.json'))
  t.true(manifests.length > 100)
  for (const { path, text } of manifests) {
    const { scripts = {} } = JSON.parse(text ?? (await readFile(inCheckout(path), 'utf8')))
    for (const script of ['preinstall', 'install', 'postinstall']) t.false(script in scripts, `${path}: ${script}`)
  }
  t.deepEqual(vaak.contents.filter(({ path }) => /^node_modules\/(?:@[^/]+\/)?[^/]+\/binding\.gyp$/.test(path)), []) // prettier-ignore
})

test('it has binaries for this kind of machine only, and its size is told', (t) => {
  const binaries = vaak.contents.map(({ path }) => path).filter((path) => /\.(?:node|so[.\d]*|dylib|dll)$/.test(path))
  t.true(binaries.length > 2)
  for (const path of binaries) t.true(path.includes(process.platform) && path.includes(process.arch), path)
  t.true(installedBytes(vaak.contents) < installedBytesMax)
  t.log(sizesOf(vaak.contents))
})

test('what is installed serves the API in its own version, writes a recording down and stops in order', async (t) => {
  const { stdout } = await run(vaak.program, ['--version'])
  const service = await anUp(t)
  const url = await service.ready()
  const { info } = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { version: string } } // as: it is our own
  t.is(stdout, `vaak ${info.version}\n`)
  t.is((await fetch(url)).status, 200, 'the console')
  t.regex(service.stdout, /^ +vaak transcribe \//m)
  t.deepEqual(await service.stop(), { code: 0, signal: null })

  const words = ['transcribe', join(vaak.home, 'infra', 'samples', 'hinglish.wav')]
  const transcribing = startProgram(t, { program: vaak.program, words, environment: {} })
  t.like(await transcribing.ended, { code: 0 }, transcribing.stderr)
  t.is(transcribing.stdout.trim(), sampleSays)
})

test('who wants storage in S3 is told which package that takes', async (t) => {
  const service = await anUp(t, { STORAGE_URL: 's3://recordings' })
  t.like(await service.ended, { code: 1 })
  t.regex(service.stderr, /Storage in S3 needs a package .*: npm install --global @aws-sdk\/client-s3@3/)
})

async function anUp(t: ExecutionContext, environment: Readonly<Record<string, string>> = {}): Promise<VaakProcess> {
  const own = { ...quiet, DATA_DIR: join(await aFolder(t), 'data'), ...environment }
  return startProgram(t, { program: vaak.program, words: ['up'], environment: own })
}

/** What a program is given of its surroundings: a browser's types, or Node's. */
const projects = {
  bundler: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] },
  node16: { module: 'node16', moduleResolution: 'node16', lib: ['es2022'], types: ['node'] },
}

for (const [resolution, options] of Object.entries(projects)) {
  test(`a TypeScript project with moduleResolution ${resolution} has the typed client, and nothing of the server`, async (t) => {
    const folder = await aProject(t, { name: 'vaak/client', options })
    const files = vaak.contents.filter(({ path }) => /^(?:package\.json$|\.build\/infra\/client\/)/.test(path))
    for (const { path } of files) {
      const target = join(folder, 'node_modules', 'vaak', path)
      await mkdir(dirname(target), { recursive: true })
      await cp(join(vaak.home, path), target)
    }
    await runsIn(t, folder)
  })

  test(`a TypeScript project with moduleResolution ${resolution} installs the client by itself`, async (t) => {
    const folder = await aProject(t, { name: 'vaak-client', options })
    const contents = await clientContents(inCheckout())
    const file = join(folder, 'vaak-client.tgz')
    await writeTarball({ checkout: inCheckout(), contents, file, level: 1 })
    const env = { PATH: process.env['PATH'], HOME: join(folder, 'home') }
    await run('npm', ['install', '--offline', '--no-audit', file], { cwd: folder, env })
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
    t.deepEqual(Object.keys(lock.packages), ['', 'node_modules/vaak-client'], 'it brings no other package')
    await runsIn(t, folder)
  })
}

test('the client by itself is small, in the version of the server, and imports nothing that a browser does not find', async (t) => {
  const contents = await clientContents(inCheckout())
  t.true(installedBytes(contents) < clientBytesMax)
  t.is(JSON.parse(contents.find(({ path }) => path === 'package.json')!.text!).version, await versionOfVaak())
  const modules = contents.filter(({ path }) => /\.(?:js|d\.ts)$/.test(path))
  t.is(modules.length, 4)
  const named = modules.flatMap(({ text = '' }) => Array.from(text.matchAll(/\bfrom '([^']+)'/g), ([, name]) => name))
  t.deepEqual([...new Set(named)], ['./api.js'])
  for (const { path, text = '' } of modules) t.notRegex(text, /sourceMappingURL|\bimport\(|\bprocess\./, path)
})

const program = (name: string): string => `import { ApiError, openClient } from '${name}'
const answer = (url: unknown, init?: RequestInit): Promise<Response> => {
  console.log(String(url), new Headers(init?.headers).get('authorization'), 'queued')
  return Promise.resolve(Response.json({ status: 'queued' }))
}
const client = openClient({ url: 'http://vaak.test/', token: 'mine', fetch: answer })
const { status, total_files } = await client.call('getBatchStatus', { params: { batch_id: 'one' } })
const right: [string, number] = [status, total_files]
// @ts-expect-error: it is no number
const wrong: number = status
// @ts-expect-error: a batch has an id
const without = () => client.call('getBatchStatus')
// @ts-expect-error: there is none of this name
const unknown = () => client.call('danceBatch')
const refused = (error: unknown): number | undefined => (error instanceof ApiError ? error.status : undefined)
`

interface ProjectOptions {
  /** Of what its program imports. */
  readonly name: string
  /** For the compiler. */
  readonly options: object
}

async function aProject(t: ExecutionContext, { name, options }: ProjectOptions): Promise<string> {
  const folder = await aFolder(t)
  const compilerOptions = { strict: true, target: 'es2022', outDir: 'made', ...options }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  await writeFile(join(folder, 'program.ts'), program(name))
  return folder
}

async function runsIn(t: ExecutionContext, folder: string): Promise<void> {
  await symlink(inCheckout('node_modules', '@types'), join(folder, 'node_modules', '@types'))
  await run(process.execPath, [inCheckout('node_modules', 'typescript', 'bin', 'tsc')], { cwd: folder })
  const { stdout } = await run(process.execPath, [join(folder, 'made', 'program.js')])
  t.is(stdout, 'http://vaak.test/transcribe/status/batch/one Bearer mine queued\n')
}
