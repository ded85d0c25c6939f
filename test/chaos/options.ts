import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { chaosBreaks, isChaosBreak } from './breaks.ts'
import { faultKinds, isFaultKind, kindsFor } from './nemesis/plan.ts'
import type { RigProfile } from './rig/rig.ts'
import type { ChaosOptions } from './run.ts'

export interface ChaosCommand extends Omit<ChaosOptions, 'say'> {
  /** The page. Histories go beside it. */
  readonly report: string
  readonly isPlanOnly: boolean
}

export class ChaosUsageError extends Error {
  override readonly name = 'UsageError'
}

const defaults = { minutes: 2, users: 4, drainSeconds: { single: 90, cluster: 180 } } as const
const minutesMax = 24 * 60
const usersMax = 64

export const usage = `Usage: npm run chaos -- [--profile single|cluster] [--minutes M] [--seed S] [options]

Starts nats-server (one, or a cluster of three that keeps everything in three copies), two gateways and
three workers as processes of their own, lets users upload, submit, read and delete, and breaks things
meanwhile. Then everything is mended, and what the users were told is held against what is there.
Writes a page with a timeline, and ends with 0 when every rule held, otherwise with 1 and the command
that does it again.

  --profile P    single (default) or cluster
  --minutes M    how long things break, ${defaults.minutes} unless said otherwise; may be a fraction
  --seed S       decides what breaks when, and what users do; random unless it is given
  --users N      how many users, ${defaults.users} unless said otherwise
  --faults A,B   only these kinds
  --mixed        one gateway and one worker are of the last release, as during an upgrade
  --drain S      seconds for which nothing may move after the last fault before all has ended (${defaults.drainSeconds.single}, cluster ${defaults.drainSeconds.cluster})
  --report FILE  where the page goes; .build/chaos/PROFILE-SEED.html unless said otherwise
  --plan         only say what would break when
  --break NAME   run a build that is wrong, which must make the run fail:
${listed(chaosBreaks)}

Kinds of faults (* cluster only):
${listed(Object.fromEntries(Object.entries(faultKinds).map(([kind, of]) => [`${kind}${'clusterOnly' in of ? '*' : ''}`, of.about])))}
`

function listed(input: Readonly<Record<string, string>>): string {
  return Object.entries(input)
    .map(([name, about]) => `    ${name.padEnd(18)} ${about}`)
    .join('\n')
}

/** Undefined when help was asked for. */
export function readCommand(words: readonly string[]): ChaosCommand | undefined {
  const values = valuesOf(words)
  if (values.help) return undefined
  const { profile } = values
  if (!isProfile(profile)) throw new ChaosUsageError(`There is no profile ${JSON.stringify(profile)}.`)
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : numberOf('--seed', values.seed, 2 ** 31)
  const broken = values.break
  if (broken !== undefined && !isChaosBreak(broken))
    throw new ChaosUsageError(`There is no broken build ${JSON.stringify(broken)}.`)
  const kinds = values.faults === undefined ? kindsFor(profile) : values.faults.split(',')
  const allowed = kindsFor(profile)
  const known = kinds.filter(isFaultKind).filter((kind) => allowed.includes(kind))
  if (known.length < kinds.length) throw new ChaosUsageError(`Not all of ${kinds.join(', ')} are faults of ${profile}.`)
  return {
    profile,
    seed,
    kinds: known,
    minutes: numberOf('--minutes', values.minutes, minutesMax),
    users: Math.max(1, numberOf('--users', values.users, usersMax)),
    drainSeconds: values.drain === undefined ? defaults.drainSeconds[profile] : numberOf('--drain', values.drain, 3600),
    broken,
    isMixed: values.mixed,
    report: values.report ?? join('.build', 'chaos', `${profile}-${seed}.html`),
    isPlanOnly: values.plan,
  }
}

function valuesOf(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        profile: { type: 'string', default: 'single' },
        minutes: { type: 'string', default: String(defaults.minutes) },
        seed: { type: 'string' },
        users: { type: 'string', default: String(defaults.users) },
        faults: { type: 'string' },
        mixed: { type: 'boolean', default: false },
        drain: { type: 'string' },
        report: { type: 'string' },
        plan: { type: 'boolean', default: false },
        break: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    throw new ChaosUsageError(error instanceof Error ? error.message : String(error))
  }
}

function isProfile(text: string): text is RigProfile {
  return text === 'single' || text === 'cluster'
}

function numberOf(name: string, text: string, max: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= max))
    throw new ChaosUsageError(`${name} is a number from 0 to ${max}.`)
  return value
}
