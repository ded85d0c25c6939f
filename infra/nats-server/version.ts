import { runCommand } from '../process/run-command.ts'

/** 2.11 brought batched reads and TTLs of single messages, 2.12 delayed messages; Debian 12 ships 2.9.10. */
export const minimumVersion = '2.12.0'

const versionTimeoutMs = 10_000

/** Runs the program: a file that is no nats-server, or one that cannot run here, is an Error. */
export async function versionOf(path: string): Promise<string> {
  const said = await runCommand({ program: path, args: ['--version'], timeoutMs: versionTimeoutMs })
  const version = parseVersion(said)
  if (version === undefined) throw new Error(`${path} does not say that it is a nats-server`)
  return version
}

export function parseVersion(said: string): string | undefined {
  return /^nats-server: v(\d+\.\d+\.\d+\S*)\s*$/.exec(said)?.[1]
}

export function isRecentEnough(version: string): boolean {
  return compareVersions(version, minimumVersion) >= 0
}

/** By the three numbers; what follows them (`-RC.1`) is not looked at. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)]
  const at = [0, 1, 2].find((index) => left[index] !== right[index])
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}

function numbersOf(version: string): number[] {
  return version.split(/[.-]/, 3).map(Number)
}
