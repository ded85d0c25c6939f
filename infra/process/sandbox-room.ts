import { lstatSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Every machine has it, and nobody needs it here: in the child's own view it becomes the root of its files. */
const room = '/sys'
const setpriv = '/usr/bin/setpriv'

/** Compiled, where this file is; and what it is part of. */
const build = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const home = dirname(build)

/** All that a child's program needs. */
const furniture = [
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/etc/ld.so.cache',
  setpriv,
  process.execPath,
  build,
  `${home}/infra/speech/audio/ffmpeg`,
  `${home}/node_modules`,
  `${home}/package.json`,
]

const namespaces = ['--net', '--ipc', '--uts', '--mount', '--pid', '--fork', '--kill-child']

/**
 * For the words of a command: it then sees a small file system with its program in it, read-only, and no processes and no network but its own. To end
 * the process that this starts ends the child. `alone` are further namespaces, `who` says as whom `setpriv` starts it.
 */
export function roomWords(alone: readonly string[], who: readonly string[], processesMax: number): readonly string[] {
  const script = `${furnish()}
prlimit --pid $$ --nproc=${processesMax}:${processesMax}
exec chroot ${room} "$@"`
  return ['unshare', ...alone, ...namespaces, '--', '/bin/sh', '-c', script, 'room', setpriv, ...who, '--']
}

/** Few commands, since each is a process: this runs whenever a child starts. */
function furnish(): string {
  const { folders, files, links } = sorted(furniture)
  const parents = [...files, ...links.map(([path]) => path)].map((path) => dirname(path))
  const inRoom = (path: string): string => quoted(room + path)
  return [
    'set -e',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    `mount -n -t tmpfs -o mode=0755,size=256k,nosuid,nodev room ${room}`,
    `mkdir -p ${[...folders, ...parents].map(inRoom).join(' ')}`,
    ...files.map((path) => `: >${inRoom(path)}`),
    ...links.map(([path, target]) => `ln -s ${quoted(target)} ${inRoom(path)}`),
    ...[...folders, ...files].map((path) => `mount -n -o bind,ro,nosuid,nodev ${quoted(path)} ${inRoom(path)}`),
    `mount -n -o remount,bind,ro,nosuid,nodev ${room}`,
  ].join('\n')
}

interface Furniture {
  readonly folders: readonly string[]
  readonly files: readonly string[]
  readonly links: readonly (readonly [path: string, target: string])[]
}

/** Of what is there: a link is made again, and what it leads to is put where that is. */
function sorted(paths: readonly string[]): Furniture {
  const folders = new Set<string>()
  const files = new Set<string>()
  const links: [string, string][] = []
  for (const path of paths) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) continue
    const real = realpathSync(path)
    if (found.isSymbolicLink()) links.push([path, real])
    const isFolder = lstatSync(real).isDirectory()
    if (isFolder) folders.add(real)
    else files.add(real)
  }
  return { folders: [...folders], files: [...files], links }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
