import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

import { z } from 'zod'

import type { Config } from '../../config/config.ts'
import { codeOf } from '../../process/error-code.ts'

const savedLogin = z.object({ url: z.string(), token: z.string() })

/** A token, and the one server that it is shown to. */
export type SavedLogin = z.infer<typeof savedLogin>

export function loginFile({ clientLoginFile }: Pick<Config, 'clientLoginFile'>): string {
  return clientLoginFile === '' ? join(homedir(), '.config', 'vaak', 'login.json') : clientLoginFile
}

export function readLogin(config: Pick<Config, 'clientLoginFile'>): SavedLogin | undefined {
  const path = loginFile(config)
  try {
    return savedLogin.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read; "vaak login" writes it anew.`, { cause: error })
  }
}

/** For its owner's eyes only. Another file takes the old one's place, which may have been open to others. */
export async function saveLogin(config: Pick<Config, 'clientLoginFile'>, login: SavedLogin): Promise<void> {
  const path = loginFile(config)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(draft, path)
}

export async function forgetLogin(config: Pick<Config, 'clientLoginFile'>): Promise<void> {
  await rm(loginFile(config), { force: true })
}
