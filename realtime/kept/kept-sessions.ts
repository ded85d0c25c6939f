import { setTimeout as pause } from 'node:timers/promises'

import type { Owner } from '../../actors/ids.ts'
import type { Clock, Revision } from '../../actors/ports.ts'
import type { KeeperInput, KeptSession, SessionKeeper } from '../session/ports.ts'
import { RecordKeeper } from './keeper.ts'
import type { KeeperPorts } from './keeper.ts'
import { isSessionId, keptPlace, unseal } from './seal.ts'

/** A session that goes on here from now on. */
export interface ResumedSession {
  readonly kept: KeptSession
  readonly holder: string
  readonly revision: Revision
}

/** The sessions of this process, where another one finds them. */
export interface KeptSessions {
  /** Nothing when this owner has no such session, or it has ended; or somebody else resumes it at this moment. */
  readonly resume: (
    owner: Owner,
    id: string,
    isOpenTo: (kept: KeptSession) => boolean,
  ) => Promise<ResumedSession | undefined>
  keeper(owner: Owner, resumed: ResumedSession | undefined): (input: KeeperInput) => SessionKeeper
  /** Resolves when everything is written that sessions left behind. */
  settled(): Promise<void>
}

interface KeptSessionsPorts extends KeeperPorts {
  readonly clock: Pick<Clock, 'nowMs'>
  readonly newId: (prefix: string) => string
}

export function openKeptSessions(ports: KeptSessionsPorts): KeptSessions {
  /** By where they are kept. */
  const leaving = new Map<string, Promise<void>>()
  const watched = (key: string, ending: Promise<void>): Promise<void> => {
    // one connection may leave while another that had the session before still does
    const all = Promise.all([leaving.get(key), ending]).then(() => undefined)
    leaving.set(key, all)
    return all.finally(() => leaving.get(key) === all && leaving.delete(key))
  }
  return {
    async resume(owner, id, isOpenTo) {
      if (!isSessionId(id)) return undefined
      const { records, newId, clock } = ports
      const key = keptPlace({ owner, id })
      await leaving.get(key)
      const found = await readSoon(records, key)
      const kept = found && (await unseal(Buffer.from(found.value.sealed, 'base64'), { owner, id }))
      if (!found || !kept || kept.expiresAt * 1_000 <= clock.nowMs() || !isOpenTo(kept)) return undefined
      // whoever has it now learns with its next write that it does not
      const holder = newId('conn')
      const revision = await records.replace(key, { ...found.value, holder }, found.revision)
      return revision === 'conflict' ? undefined : { kept, holder, revision }
    },
    keeper: (owner, resumed) => (input) => {
      const holder = resumed?.holder ?? ports.newId('conn')
      const name = { owner, id: input.id }
      const keeper = new RecordKeeper(ports, { name, holder, revision: resumed?.revision }, input)
      return {
        changed: () => keeper.changed(),
        leave: () => watched(keptPlace(name), keeper.leave()),
        forget: () => watched(keptPlace(name), keeper.forget()),
      }
    },
    async settled() {
      while (leaving.size > 0) await Promise.all(leaving.values())
    },
  }
}

/** Whose connection broke may be back before the server that had it noticed, and wrote the session down for the first time. */
const looksAgainMs = [100, 200, 400, 800]

async function readSoon(records: KeeperPorts['records'], key: string): ReturnType<KeeperPorts['records']['read']> {
  for (const waitMs of looksAgainMs) {
    const found = await records.read(key)
    if (found) return found
    await pause(waitMs)
  }
  return records.read(key)
}
