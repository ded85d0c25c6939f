import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Programs that tests run and Vaak itself does not need. */
interface WantedPackage {
  /** What people call it. */
  readonly name: string
  readonly packages: readonly string[]
  readonly programs: readonly string[]
}

/** Fetching may be cut short and goes on where it stopped; unpacking may not, and is over soon. */
const fetchWithinMs = 90_000
const unpackWithinMs = 5 * 60_000
const betweenTriesMs = 1_000
const outputMaxBytes = 16 * 1024 * 1024
const quotedErrorChars = 600

/** Debian's own packages, installed when missing and this machine lets us; otherwise an Error that says why not. */
export async function ensurePackages(wanted: WantedPackage): Promise<void> {
  const absent = await missing(wanted)
  if (absent.length === 0) return
  const reason = `${wanted.name} is not installed (no ${absent.join(', ')})`
  if (process.getuid?.() !== 0)
    throw new Error(
      `${reason}, and only root may: apt-get install --no-install-recommends ${wanted.packages.join(' ')}`,
    )
  if (!(await isInstalled('apt-get'))) throw new Error(`${reason}, and there is no apt-get to install it with`)
  await fetchPackages(wanted)
  await apt(wanted, 'install', unpackWithinMs)
}

/** Again and again for a while: another process may hold apt's lock, or the lists of packages may be old. */
async function fetchPackages(wanted: WantedPackage): Promise<void> {
  const deadline = performance.now() + fetchWithinMs
  for (;;) {
    try {
      await apt(wanted, 'fetch', deadline - performance.now())
      return
    } catch (error) {
      if (performance.now() + betweenTriesMs > deadline) throw error
      await apt(wanted, 'update', deadline - performance.now()).catch(() => undefined)
      await pause(betweenTriesMs)
    }
  }
}

const aptArguments = {
  update: ['update'],
  fetch: ['install', '--yes', '--no-install-recommends', '--download-only'],
  install: ['install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'],
}

async function apt(wanted: WantedPackage, step: keyof typeof aptArguments, timeoutMs: number): Promise<void> {
  const packages = step === 'update' ? [] : wanted.packages
  try {
    await run('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', ...aptArguments[step], ...packages], {
      timeout: Math.max(1, Math.ceil(timeoutMs)),
      maxBuffer: outputMaxBytes,
    })
  } catch (error) {
    const said = error instanceof Error ? error.message.slice(-quotedErrorChars) : String(error)
    throw new Error(`${wanted.name} could not be installed: apt-get ${step}: ${said}`, { cause: error })
  }
}

async function missing({ programs }: WantedPackage): Promise<string[]> {
  const found = await Promise.all(programs.map(isInstalled))
  return programs.filter((_, index) => !found[index])
}

async function isInstalled(program: string): Promise<boolean> {
  const places = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
  const found = await Promise.allSettled(places.map((place) => access(`${place}/${program}`, constants.X_OK)))
  return found.some(({ status }) => status === 'fulfilled')
}
