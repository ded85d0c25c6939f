import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const packages = ['radosgw', 'ceph-mon', 'ceph-osd']
/** `setpriv` is part of every Debian; the rest comes with the packages. */
const programs = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool', 'setpriv']
/** Fetching may be cut short and goes on where it stopped; unpacking may not, and is over soon. */
const fetchWithinMs = 90_000
const unpackWithinMs = 5 * 60_000
const betweenTriesMs = 1_000
const outputMaxBytes = 16 * 1024 * 1024
const quotedErrorChars = 600

/** Debian's own Ceph, installed when it is missing and this machine lets us; otherwise an Error that says why not. */
export async function ensureCeph(): Promise<void> {
  const absent = await missing()
  if (absent.length === 0) return
  const reason = `Ceph is not installed (no ${absent.join(', ')})`
  if (process.getuid?.() !== 0)
    throw new Error(`${reason}, and only root may: apt-get install --no-install-recommends ${packages.join(' ')}`)
  if (!(await isInstalled('apt-get'))) throw new Error(`${reason}, and there is no apt-get to install it with`)
  await fetchPackages()
  await apt('install', unpackWithinMs)
}

/** Again and again for a while: another process may hold apt's lock, or the lists of packages may be old. */
async function fetchPackages(): Promise<void> {
  const deadline = performance.now() + fetchWithinMs
  for (;;) {
    try {
      await apt('fetch', deadline - performance.now())
      return
    } catch (error) {
      if (performance.now() + betweenTriesMs > deadline) throw error
      await apt('update', deadline - performance.now()).catch(() => undefined)
      await pause(betweenTriesMs)
    }
  }
}

const aptArguments = {
  update: ['update'],
  fetch: ['install', '--yes', '--no-install-recommends', '--download-only', ...packages],
  install: ['install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...packages],
}

async function apt(step: keyof typeof aptArguments, timeoutMs: number): Promise<void> {
  try {
    await run('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', ...aptArguments[step]], {
      timeout: Math.max(1, Math.ceil(timeoutMs)),
      maxBuffer: outputMaxBytes,
    })
  } catch (error) {
    const said = error instanceof Error ? error.message.slice(-quotedErrorChars) : String(error)
    throw new Error(`Ceph could not be installed: apt-get ${step}: ${said}`, { cause: error })
  }
}

async function missing(): Promise<string[]> {
  const found = await Promise.all(programs.map(isInstalled))
  return programs.filter((_, index) => !found[index])
}

async function isInstalled(program: string): Promise<boolean> {
  const places = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
  const found = await Promise.allSettled(places.map((place) => access(`${place}/${program}`, constants.X_OK)))
  return found.some(({ status }) => status === 'fulfilled')
}
