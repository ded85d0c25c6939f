import { createRandom } from '../../sim/random.ts'
import { checkListing } from '../check/listing.ts'
import type { History } from '../history.ts'
import { openCaller } from './caller.ts'
import type { ChaosAddress } from './caller.ts'
import type { Ledger } from './ledger.ts'
import { aChaosRecording } from './recordings.ts'
import { mustBeGone, oneRound, readThrough } from './user.ts'
import type { UserOptions } from './user.ts'

/** All users together. */
interface Crowd {
  /** Everybody sends more at once. */
  rush(): void
  /** Nobody begins anything new; resolves when everything that was begun has ended, or nothing moved for so long. */
  end(stillSeconds: number): Promise<void>
  /** What was shown is still shown, and what was deleted still is not. */
  lookBack(): Promise<void>
}

interface CrowdOptions {
  readonly rig: { readonly gateways: readonly ChaosAddress[]; tokenOf(user: string): Promise<string> }
  readonly history: History
  readonly ledger: Ledger
  readonly seed: number
  readonly users: number
  readonly slowShare?: number
  /** What they upload, unless it is what breaks in every way. */
  readonly makeRecording?: UserOptions['makeRecording']
  /** Grows with everything that moves: a machine that is busy takes longer over it, and is waited for. */
  readonly progress: () => number
}

const rushRounds = 3
const usualSlowShare = 0.1
const usualAgainShare = 0.35
const soundsPerUser = 1_000_000
const lastLookMs = 600_000

interface User extends UserOptions {
  nextKey(): string
}

export async function startCrowd(options: CrowdOptions): Promise<Crowd> {
  const { history } = options
  let isEnding = false
  let stillMs = Infinity
  let last = { progress: 0, atMs: 0 }
  const isOver = (): boolean => {
    const progress = options.progress()
    if (progress !== last.progress) last = { progress, atMs: history.nowMs() }
    return history.nowMs() - last.atMs > stillMs
  }
  const isClosing = (): boolean => isEnding
  const rounds = new Set<Promise<void>>()
  const users = await Promise.all(Array.from({ length: options.users }, (_, index) => aUser(options, index, isOver)))
  const start = (user: User): Promise<void> => {
    const round = oneRound(user, user.nextKey())
    rounds.add(round)
    return round.finally(() => rounds.delete(round))
  }
  const loops = users.map(async (user) => {
    while (!isClosing()) await start(user)
  })
  return {
    rush() {
      for (const user of users) for (let times = 0; times < rushRounds; times += 1) void start(user)
    },
    async end(stillSeconds) {
      isEnding = true
      stillMs = stillSeconds * 1000
      last = { ...last, atMs: history.nowMs() }
      await Promise.all(loops)
      while (rounds.size > 0) await Promise.all(rounds)
      if (isOver()) history.complain('live', `nothing moved for ${stillSeconds} s, and not everything had ended`)
    },
    async lookBack() {
      stillMs = lastLookMs
      last = { ...last, atMs: history.nowMs() }
      for (const user of users) await lookBack(user)
    },
  }
}

async function aUser(options: CrowdOptions, index: number, isOver: () => boolean): Promise<User> {
  const { rig, history, ledger, seed, slowShare = usualSlowShare, makeRecording = aChaosRecording } = options
  const user = `user-${index + 1}`
  const random = createRandom(seed, user)
  const caller = openCaller({ user, token: await rig.tokenOf(user), gateways: rig.gateways, random, history, isOver })
  let sounds = index * soundsPerUser
  let keys = 0
  return {
    caller,
    random,
    ledger,
    history,
    isOver,
    slowShare,
    makeRecording,
    sentBefore: [],
    againShare: options.makeRecording ? 0 : usualAgainShare,
    nextAudio: () => (sounds += 1),
    nextKey: () => `${user}-${(keys += 1)}`,
  }
}

async function lookBack(user: User): Promise<void> {
  const { caller, ledger, history } = user
  const own = [...ledger.batches.values()].filter((batch) => batch.user === caller.user)
  for (const { batchId, fileIds } of own) {
    const status = await caller.insist({ verb: 'status', method: 'GET', path: `/transcribe/status/batch/${batchId}` })
    if (status?.status === 200) ledger.sawBatch(batchId, status.body.status)
    await readThrough(user, batchId)
    for (const fileId of fileIds)
      if (ledger.files.get(fileId)?.life === 'deleted') await mustBeGone({ caller, history }, { fileId, batchId })
  }
  await checkListing(caller, { ledger, history })
}
