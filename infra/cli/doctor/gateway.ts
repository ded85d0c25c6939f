import { z } from 'zod'

import type { Config } from '../../config/config.ts'
import { gatewayTls, serverUrl } from '../../config/tls-files.ts'
import { versionOfVaak } from '../version.ts'
import { askIfThere } from './ask-http.ts'
import { judgeClock } from './clock.ts'
import { broken, doubtful, healthy } from './diagnosis.ts'
import type { Diagnosis, Examination } from './diagnosis.ts'

const readySchema = z.object({ dependencies: z.record(z.string(), z.string()) })
const versionSchema = z.object({ info: z.object({ version: z.string() }) })

/** That of VAAK_URL, or of this machine if one runs here. */
export function lookAtGateway(config: Config): Examination {
  const { clientUrl } = config
  const url = clientUrl === '' ? addressHere(config) : clientUrl
  return {
    about: 'gateway',
    async look() {
      const ready = await askIfThere(`${url}/readyz`)
      if (!ready && clientUrl === '')
        return [doubtful('gateway.ready', `No gateway answers at ${url}.`, 'Start it, or set VAAK_URL to where it is.')]
      if (!ready)
        return [broken('gateway.ready', `No gateway answers at ${url} (VAAK_URL).`, 'Correct VAAK_URL, or start it.')]
      const { dateMs, askedMs, body } = ready
      const clock = { check: 'clock.gateway', whose: `The clock of ${url}`, oursMs: askedMs }
      return [
        judgeReadiness('gateway.ready', url, body),
        ...(dateMs === undefined
          ? []
          : [judgeClock({ ...clock, theirsMs: dateMs, toleranceSeconds: config.jwtClockToleranceSeconds })]),
        await lookAtVersion(url),
      ]
    },
  }
}

/** What somebody who says whether it can work said. */
export function judgeReadiness(check: string, url: string, body: string): Diagnosis {
  const said = readDocument(readySchema, body)
  if (!said) return broken(check, `What answers at ${url} is no Vaak.`, 'Correct the address, or stop that program.')
  const bad = Object.entries(said.dependencies).filter(([name, state]) => state !== 'ok' && name !== 'sandbox')
  if (bad.length === 0) return healthy(check, `${url} is ready.`)
  const reasons = bad.map(([name, state]) => `${name}: ${state}`).join(' ')
  return broken(check, `${url} is not ready. ${reasons}`, 'Mend what it names; it goes on by itself then.')
}

/** Old and new processes may run beside each other while one replaces the other, and no longer. */
async function lookAtVersion(url: string): Promise<Diagnosis> {
  const check = 'version.gateway'
  const [ours, answer] = [await versionOfVaak(), await askIfThere(`${url}/openapi.json`)]
  const theirs = readDocument(versionSchema, answer?.body ?? '')?.info.version
  if (theirs === undefined) return doubtful(check, `${url} does not say its version.`, 'Is it a Vaak gateway?')
  if (theirs === ours) return healthy(check, `${url} is Vaak ${theirs}, as this is.`)
  return doubtful(check, `${url} is Vaak ${theirs}, and this is ${ours}.`, 'Bring all processes to one version.')
}

function readDocument<Value>(schema: z.ZodType<Value>, text: string): Value | undefined {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function addressHere(config: Config): string {
  return serverUrl(gatewayTls(config), { host: reachable(config.host), port: config.port })
}

/** Who listens everywhere is asked here. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}
