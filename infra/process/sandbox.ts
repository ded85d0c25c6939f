import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

import { z } from 'zod'

import type { Log } from '../../actors/ports.ts'
import { childCommand, childEnvironment, threadsOfChild } from './child-command.ts'
import { roomWords } from './sandbox-room.ts'

/**
 * How far a child that reads what strangers sent is kept from everything else. What a machine allows is tried, the best first, and then looked at
 * from inside: what the child could still do is what is told to people.
 */
interface Way {
  /** What a child is started through. */
  readonly words: () => readonly string[]
}

/** A child is gone when its parent is, however that ended; setpriv says so last, since the kernel forgets it when the user changes. */
const mortal = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--']
const powerless = ['--pdeathsig', 'KILL', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']

/** Ids that nobody gives to users, and so many that no two children have the same: the kernel counts processes by user. */
const firstUser = 0x7000_0000
const users = 0x0fff_ffff

function someUser(): readonly string[] {
  const user = firstUser + randomInt(users)
  return [`--reuid=${user}`, `--regid=${user}`, '--clear-groups']
}

function waysOf(threads: number): readonly Way[] {
  const asOther: readonly Way[] = [
    { words: () => [...mortal, ...roomWords([], [...someUser(), ...powerless], threads)] },
  ]
  const asWeAre: readonly Way[] = [
    // the one that waits for it counts too
    {
      words: () => [
        ...mortal,
        ...roomWords(ownUsers, ['--securebits=+noroot,+noroot_locked', ...powerless], threads + 1),
      ],
    },
    { words: () => [...mortal, ...walls, 'prlimit', `--nproc=${threads}:${threads}`, '--'] },
  ]
  const asOtherOnly: readonly Way[] = [
    { words: () => ['prlimit', `--nproc=${threads}:${threads}`, '--', 'setpriv', ...someUser(), ...powerless, '--'] },
  ]
  const isRoot = process.getuid?.() === 0
  const counted = Number.isNaN(threads) ? [] : [...(isRoot ? asOther : []), ...asWeAre, ...(isRoot ? asOtherOnly : [])]
  return [...counted, { words: () => mortal }, { words: () => [] }]
}

const ownUsers = ['--user', '--map-root-user']
/** Nothing of its parent's, since the kernel lets no process look into one of another user namespace, whoever it runs as. */
const walls = ['unshare', '--user', '--map-current-user', '--net', '--ipc', '--']

const foundSchema = z.object({
  processes: z.boolean(),
  files: z.boolean(),
  network: z.boolean(),
  programs: z.boolean(),
})
type Openings = z.infer<typeof foundSchema>

const openingWords: Readonly<Record<keyof Openings, string>> = {
  processes: 'look into our processes',
  files: 'read files of this machine',
  network: 'use the network',
  programs: 'start programs',
}

const probe = new URL('./sandbox-probe.js', import.meta.url)
const probeWithinMs = 30_000

/** What a child could do that is started so; undefined when none starts. */
function openingsOf({ words }: Way): readonly string[] | undefined {
  const command = [...words(), ...childCommand(probe, { words: [String(process.pid)] })]
  const tried = spawnSync('/bin/sh', ['-c', 'exec "$@"', 'sandbox', ...command], {
    env: childEnvironment,
    encoding: 'utf8',
    timeout: probeWithinMs,
  })
  if (tried.status !== 0) return undefined
  const found = foundSchema.parse(JSON.parse(tried.stdout))
  return Object.entries(openingWords).flatMap(([name, could]) => (found[name as keyof Openings] ? [could] : [])) // as: its own keys
}

interface Sandbox extends Way {
  readonly openings: readonly string[]
}

let known: Sandbox | undefined

/** Asked once: what the kernel, and who runs us, allow does not change. */
function sandbox(): Sandbox {
  known ??= bestOf(waysOf(threadsOfChild()))
  return known
}

function bestOf(ways: readonly Way[]): Sandbox {
  let best: Sandbox = { words: () => [], openings: Object.values(openingWords) }
  for (const way of ways) {
    const openings = openingsOf(way)
    if (openings?.length === 0) return { ...way, openings }
    if (openings && openings.length < best.openings.length) best = { ...way, openings }
  }
  return best
}

/** What a child is started through. */
export function sandboxWords(): readonly string[] {
  return sandbox().words()
}

/** `ok`, or what a child could do if a recording took it over. */
export function sandboxState(): string {
  const { openings } = sandbox()
  if (openings.length === 0) return 'ok'
  return `A recording that took over its decoder could ${openings.join(', ')}: this machine, or who runs Vaak on it, does not allow all namespaces.`
}

/** Says at the start what holds. */
export function checkSandbox(wanted: 'auto' | 'required', log: Log): void {
  const state = sandboxState()
  if (state === 'ok') return
  if (wanted === 'required')
    throw new Error(`SANDBOX is required. ${state} Allow them (unshare, mount), or set SANDBOX to auto.`)
  log.warn('files of users are decoded without all of the sandbox', { state })
}
