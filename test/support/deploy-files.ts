import { readFile } from 'node:fs/promises'

import { parse } from 'yaml'

import { settings } from '../../infra/config/settings.ts'
import { inCheckout } from './checkout.ts'

/** What is read of a service of ours; the rest is for who runs it. */
interface ComposeService {
  readonly image?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
  readonly networks?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}

/** After SHUTDOWN_SECONDS a role has five seconds to end by itself; then whoever waits may kill it. */
export const drainSeconds = Number(settings.shutdownSeconds.fallback) + 5

export function deployFile(path: string): Promise<string> {
  return readFile(inCheckout('infra', 'deploy', path), 'utf8')
}

/** As compose understands its file, with variables put in. */
export async function composeServices(
  variables: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, ComposeService>>> {
  const text = await deployFile('compose/compose.yaml')
  // as: the tests that read it say what it has to be
  const { services } = parse(interpolated(text, variables), { merge: true }) as {
    services: Record<string, ComposeService>
  }
  return services
}

/** Names of variables that compose.yaml does not start without. */
export function requiredVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/\$\{(\w+):\?\}/g), ([, name = '']) => name))]
}

function interpolated(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::\?|:-([^}]*))\}/g, (_, name: string, usual?: string) => {
    const value = variables[name] ?? usual
    if (value === undefined) throw new Error(`${name} is not set`)
    return value
  })
}
