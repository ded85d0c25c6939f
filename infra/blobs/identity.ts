import { randomUUID } from 'node:crypto'

import { away } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'

/**
 * The object that tells a store from another in its place, such as the empty folder below a disk that is not mounted. It holds the name
 * of the store, and goes along when everything is copied elsewhere.
 */
export const markName = 'vaak-store'

/** Which store belongs to a place, as the whole service knows it: who starts while it is away must not take what is there for it. */
export interface KnownStore {
  recall(): Promise<string | undefined>
  /** Resolves with the one that is known from then on: who tells first is believed. */
  remember(name: string): Promise<string>
}

/** How a kind of store reads its mark, and makes a store where nobody knows of one. */
export interface MarkAccess {
  /** Where it is, for the operator. */
  readonly place: string
  /** Nothing when there is none; rejects when the store cannot be asked. */
  read(signal?: AbortSignal): Promise<string | undefined>
  /** Resolves with the mark that is there then: of two that are written the first stays. */
  create(name: string): Promise<string>
}

export interface StoreIdentity {
  /** Rejects unless the store that is known is here now: before this a miss is not believed. */
  verify(signal?: AbortSignal): Promise<void>
  /** The same, and nothing is asked when it was here the last time. */
  verified(): Promise<void>
}

interface IdentityOptions {
  readonly access: MarkAccess
  readonly known: KnownStore
  readonly log: Log
}

export function identifyStore({ access, known, log }: IdentityOptions): StoreIdentity {
  let naming: Promise<string> | undefined
  let isHere = false
  let isTold = false

  /** Only where nobody knows of a store one is made. */
  const learn = async (signal: AbortSignal | undefined): Promise<string> => {
    const recalled = await known.recall()
    if (recalled !== undefined) return recalled
    return known.remember((await access.read(signal)) ?? (await access.create(randomUUID())))
  }
  const nameFor = (signal: AbortSignal | undefined): Promise<string> => {
    naming ??= learn(signal).catch((error: unknown) => {
      naming = undefined
      throw error
    })
    return naming
  }
  const tellOnce = (facts: object): void => {
    if (!isTold) log.error('there is another store in the place of ours, or none', { place: access.place, ...facts })
    isTold = true
  }
  const verify = async (signal?: AbortSignal): Promise<void> => {
    isHere = false
    const wanted = await nameFor(signal)
    const found = await access.read(signal)
    isHere = found === wanted
    if (!isHere) {
      tellOnce({ wanted, found })
      throw away('storage_unavailable', anotherStore)
    }
    isTold = false
  }
  return {
    verify,
    verified: async () => {
      if (!isHere) await verify()
    },
  }
}

const anotherStore = `Storage is not the one that it was: its mark ${markName} is missing or another. Is its disk mounted, or its bucket named rightly?`

/** For a store that nobody else uses. */
export function knownHere(): KnownStore {
  let name: string | undefined
  return {
    recall: () => Promise.resolve(name),
    remember: (told) => Promise.resolve((name ??= told)),
  }
}
