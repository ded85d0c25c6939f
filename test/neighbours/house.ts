import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openDevelopmentIssuer } from '../../infra/identity/development-issuer.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { startVaak } from '../support/processes.ts'

/** Everything that `vaak up` starts, with the settings that we ship. */
export interface House {
  readonly url: string
  tokenOf(user: string): Promise<string>
  stop(): Promise<void>
}

/** Where it listens and what it writes down, and nothing of what it allows. */
const ownAddress = { PORT: '0', METRICS_PORT: '0', REALTIME_PORT: '0', LOG_LEVEL: 'error' }
/** For a whole run: nobody renews a token here. */
const tokenSeconds = 86_400

export async function openHouse(): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'vaak-neighbours-'))
  let end: () => unknown = () => undefined
  const vaak = startVaak({ teardown: (ending) => void (end = ending) }, ['up'], { ...ownAddress, DATA_DIR: folder })
  const stop = async (): Promise<void> => {
    await end()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const url = await vaak.ready()
    const issuer = await openDevelopmentIssuer({ folder: join(folder, 'identity'), nodeEnv: '', clock: systemClock })
    return { url, tokenOf: (user) => issuer.sign({ user, lifetimeSeconds: tokenSeconds }), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
