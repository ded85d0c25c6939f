import { access, constants, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import type { Config } from '../../config/config.ts'
import { ownStoreOf } from '../../up/own-broker.ts'
import { loginFile } from '../client/saved-login.ts'
import { broken, healthy } from './diagnosis.ts'
import type { Examination, Diagnosis } from './diagnosis.ts'

const forOthers = 0o007

/** Files that hold a secret: those that settings name, and those that we keep. */
export function lookAtSecrets(config: Config): Examination {
  return {
    about: 'secrets',
    async look() {
      const named = Object.entries({
        NATS_CREDS: config.natsCreds,
        NATS_TLS_KEY: config.natsTlsKey,
        TLS_KEY: config.tlsKey,
        REALTIME_TLS_KEY: config.realtimeTlsKey,
      }).filter(([, path]) => path !== '')
      const diagnoses = await Promise.all([
        ...named.map(([variable, path]) => lookAtSecret(`secrets.${variable}`, resolve(path))),
        ...(await kept(config)).map((path) => lookAtSecret('secrets.kept', path)),
      ])
      const bad = diagnoses.filter(({ state }) => state !== 'ok')
      if (bad.length > 0) return bad
      return [healthy('secrets', `${diagnoses.length} files with secrets are there, and closed to others.`)]
    },
  }
}

async function lookAtSecret(check: string, path: string): Promise<Diagnosis> {
  try {
    const { mode } = await stat(path)
    if ((mode & forOthers) !== 0)
      return broken(
        check,
        `Everybody on this machine may open ${path}.`,
        `chmod o= ${path}, and replace the secret if strangers were here.`,
      )
    await access(path, constants.R_OK)
    return healthy(check, `${path} is closed to others.`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return broken(check, `${path} cannot be read (${reason}).`, 'Put the file there, readable by who runs Vaak.')
  }
}

/** Of the development issuer, the private broker, a certificate of our own and a login; those that there are. */
async function kept(config: Config): Promise<string[]> {
  const dataDir = resolve(config.dataDir)
  const identity = join(dataDir, 'identity')
  const names = await readdir(identity).catch(() => [])
  const paths = [
    ...names.map((name) => join(identity, name)),
    join(ownStoreOf(dataDir), 'nats-server.conf'),
    join(dataDir, 'tls', 'key.pem'),
    loginFile(config),
  ]
  const there = await Promise.all(paths.map((path) => stat(path).then(() => true, () => false))) // prettier-ignore
  return paths.filter((_, index) => there[index])
}
