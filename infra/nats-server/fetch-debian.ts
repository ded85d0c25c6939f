import { access, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { runCommand } from '../process/run-command.ts'
import type { Progress } from '../telemetry/progress.ts'

/**
 * Takes the package from Debian's archive without root and without touching the machine's own package state: apt works
 * in a private folder, checks the archive's signature against the keyring that Debian installed, and the package's hash
 * against the signed index. Debian 12's own nats-server is too old, hence the later suites; their build needs glibc ≥ 2.34.
 */
const suites = ['forky', 'sid']
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

const queryTimeoutMs = 30_000
const updateTimeoutMs = 300_000
const downloadTimeoutMs = 300_000
const unpackTimeoutMs = 60_000
const networkTimeoutSeconds = 20
const networkRetries = 2
const triedArchives = 4

/** The index weighs about twice as much as the package. */
const indexShare = 0.7

/** Resolves with the path of the program below `into`, an empty folder of the caller's. */
export async function fetchFromDebian(into: string, progress: Progress): Promise<string> {
  await access(keyring).catch(() => {
    throw new Error(`there is no ${keyring}, so this is not a Debian machine`)
  })
  if (/["\n]/.test(into)) throw new Error(`apt's settings cannot hold the quotation mark or line break in ${into}`)
  const [archives, architecture] = await Promise.all([archivesOfThisMachine(), nativeArchitecture()])
  if (archives.length === 0) throw new Error("apt's sources on this machine name no Debian archive (component main)")
  const reasons: string[] = []
  for (const [index, { archive, suite }] of archives
    .flatMap((one) => suites.map((name) => ({ archive: one, suite: name })))
    .entries()) {
    try {
      const folder = join(into, String(index))
      const source = `deb [arch=${architecture} signed-by=${keyring}] ${archive} ${suite} main\n`
      return await fetchFrom(source, folder, progress)
    } catch (error) {
      reasons.push(`${suite}: ${errorsIn(error instanceof Error ? error.message : String(error))}`)
    }
  }
  throw new Error(reasons.join('; '))
}

async function fetchFrom(source: string, folder: string, progress: Progress): Promise<string> {
  const config = await privateApt(folder, source)
  const apt = (args: readonly string[], share: { from: number; to: number; timeoutMs: number }): Promise<string> =>
    runCommand({
      program: 'apt-get',
      args: ['-c', config, '-o', 'APT::Status-Fd=3', ...args],
      cwd: folder,
      timeoutMs: share.timeoutMs,
      onStatus(line) {
        const fraction = fractionOf(line)
        if (fraction !== undefined) progress.update(share.from + fraction * (share.to - share.from))
      },
    })
  await apt(['update'], { from: 0, to: indexShare, timeoutMs: updateTimeoutMs })
  await apt(['download', 'nats-server'], { from: indexShare, to: 1, timeoutMs: downloadTimeoutMs })
  const packageFile = (await readdir(folder)).find((name) => name.endsWith('.deb'))
  if (!packageFile) throw new Error('apt-get download left no package behind')
  await runCommand({ program: 'dpkg', args: ['-x', packageFile, 'unpacked'], cwd: folder, timeoutMs: unpackTimeoutMs })
  return join(folder, 'unpacked', 'usr', 'sbin', 'nats-server')
}

/** Every archive the machine itself is set up for; a wrong one fails by its missing suite or its signature. */
async function archivesOfThisMachine(): Promise<string[]> {
  const said = await runCommand({
    program: 'apt-get',
    // Without release info apt lists its sources even where `apt-get update` has never run.
    args: [
      'indextargets',
      '--no-release-info',
      '--format',
      '$(COMPONENT) $(RELEASE) $(REPO_URI)',
      'Created-By: Packages',
    ],
    timeoutMs: queryTimeoutMs,
  })
  return archivesIn(said)
}

/** Security archives hold fixes of a stable release only. */
export function archivesIn(indexTargets: string): string[] {
  const archives = indexTargets
    .split('\n')
    .map((line) => line.trim().split(' '))
    .filter(([component, release]) => component === 'main' && !/security|\/updates$/.test(release ?? ''))
    .map(([, , uri = '']) => uri)
    .filter((uri) => uri !== '' && !uri.startsWith('cdrom:'))
  return [...new Set(archives)].slice(0, triedArchives)
}

/** What apt calls an error, without its warnings; all of it when there is none. */
export function errorsIn(said: string): string {
  const errors = said.split('\n').filter((line) => /^(?:E|Error): /.test(line))
  return errors.length > 0 ? errors.map((line) => line.replace(/^\w+: /, '')).join(' ') : said
}

async function nativeArchitecture(): Promise<string> {
  const said = await runCommand({ program: 'dpkg', args: ['--print-architecture'], timeoutMs: queryTimeoutMs })
  return said.trim()
}

/** The percentage of a line on apt's status descriptor: `dlstatus:<item>:<percent>:<words>`. */
export function fractionOf(statusLine: string): number | undefined {
  const percent = Number(/^dlstatus:[^:]*:([\d.]+):/.exec(statusLine)?.[1])
  return Number.isFinite(percent) ? percent / 100 : undefined
}

/** The file comes after the machine's own settings, so its proxies hold and its hooks can be taken out. */
async function privateApt(folder: string, source: string): Promise<string> {
  await mkdir(join(folder, 'lists', 'partial'), { recursive: true })
  await mkdir(join(folder, 'cache', 'archives', 'partial'), { recursive: true })
  await writeFile(join(folder, 'status'), '')
  // May hold the credentials of a private mirror.
  await writeFile(join(folder, 'sources.list'), source, { mode: 0o600 })
  const config = join(folder, 'apt.conf')
  await writeFile(config, `${aptSettings(folder).join('\n')}\n`)
  return config
}

function aptSettings(folder: string): string[] {
  const quoted = (path: string): string => `"${path}"`
  return [
    '#clear APT::Update::Pre-Invoke;',
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    `Dir::State ${quoted(folder)};`,
    `Dir::State::lists ${quoted(join(folder, 'lists'))};`,
    `Dir::State::status ${quoted(join(folder, 'status'))};`,
    `Dir::Cache ${quoted(join(folder, 'cache'))};`,
    'Dir::Cache::pkgcache "";',
    'Dir::Cache::srcpkgcache "";',
    `Dir::Etc::sourcelist ${quoted(join(folder, 'sources.list'))};`,
    'Dir::Etc::sourceparts "/dev/null";',
    'Dir::Etc::preferences "/dev/null";',
    'Dir::Etc::preferencesparts "/dev/null";',
    'APT::Update::Error-Mode "any";',
    'APT::Get::AllowUnauthenticated "false";',
    'Acquire::AllowInsecureRepositories "false";',
    'Acquire::AllowWeakRepositories "false";',
    'Acquire::Languages "none";',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";',
    'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";',
    `Acquire::Retries "${networkRetries}";`,
    `Acquire::http::Timeout "${networkTimeoutSeconds}";`,
    `Acquire::https::Timeout "${networkTimeoutSeconds}";`,
  ]
}
