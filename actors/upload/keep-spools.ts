import type { GatewayId, UploadId } from '../ids.ts'
import type { Clock, Records } from '../ports.ts'
import { openLeases } from './leases.ts'
import type { Holder, Leases, SeenLease } from './leases.ts'
import type { Receiving, Spool, SpooledUpload, Spools } from './ports.ts'
import type { UploadPorts } from './record.ts'
import type { GatewayLease, UploadInHand } from './state.ts'
import { endStranded } from './strand.ts'
import { createUnderWay } from './under-way.ts'
import type { UnderWay } from './under-way.ts'

interface SpoolPorts extends UploadPorts {
  readonly leases: Records<GatewayLease>
  readonly spools: Spools
  readonly holder: Holder
  readonly clock: Clock
  readonly nextGatewayId: () => GatewayId
}

interface SpoolLimits {
  /** Who has not renewed a lease for so long may be replaced. It is renewed three times as often. */
  readonly leaseMs: number
  /** Who has not come back for so long does not come back. */
  readonly giveUpMs: number
}

/** The spools that this process works on: one of its own, and those of others that died. */
export interface SpoolKeeper extends Receiving {
  /** Of the spool that uploads are received in now. */
  readonly gatewayId: () => GatewayId
  /** Takes over from the dead and ends what nobody can reach, again and again; `adopt` gets what was found. */
  start(adopt: Adopt): void
  /** Leaves the spools to others. */
  stop(): Promise<void>
}

type Adopt = (uploads: readonly SpooledUpload[]) => Promise<void>

interface Keeping {
  readonly ports: SpoolPorts
  readonly limits: SpoolLimits
  readonly leases: Leases
  /** Of the spools of others: which uploads in them were taken up already. */
  readonly adopted: Map<GatewayId, Set<UploadId>>
  /** What others were putting into storage whose spools are ours now. */
  readonly streamed: Set<UploadInHand>
  own: Spool
}

const renewalsPerLease = 3

/** Takes a spool that is surely nobody's, or makes one; resolves with what waits in all that could be taken at once. */
export async function openSpoolKeeper(
  ports: SpoolPorts,
  limits: SpoolLimits,
): Promise<{ keeper: SpoolKeeper; waiting: readonly SpooledUpload[] }> {
  const leases = openLeases(ports)
  await takeFormer(ports, leases)
  const free: GatewayId[] = []
  for (const gatewayId of await ports.spools.ids()) if (await takeFree(ports, leases, gatewayId)) free.push(gatewayId)
  const [first, ...others] = free
  const own = first === undefined ? await makeSpool(ports, leases) : await ports.spools.open(first)
  const keeping: Keeping = { ports, limits, leases, own, adopted: new Map(), streamed: new Set() }
  const keeper = keeperOf(keeping)
  const waiting: SpooledUpload[] = []
  for (const gatewayId of free) {
    for (const upload of await streamedOf(ports, gatewayId)) keeping.streamed.add(upload)
    waiting.push(...(await (await ports.spools.open(gatewayId)).recover({ isWriterGone: true })))
  }
  for (const gatewayId of others) keeping.adopted.set(gatewayId, new Set(idsIn(waiting, gatewayId)))
  return { keeper, waiting }
}

/** Renews from the first moment: what was found may take long to take up. */
function keeperOf(keeping: Keeping): SpoolKeeper {
  const { ports, limits, leases } = keeping
  const underWay = createUnderWay()
  const everyMs = limits.leaseMs / renewalsPerLease
  repeat(underWay, everyMs, () => attempt(ports, 'leases were not renewed', () => renew(keeping)))
  return {
    gatewayId: () => keeping.own.gatewayId,
    receive: (announced) => keeping.own.receive(announced),
    start: (adopt) => repeat(underWay, everyMs, () => lookAround(keeping, adopt)),
    async stop() {
      await underWay.drain()
      for (const gatewayId of [keeping.own.gatewayId, ...keeping.adopted.keys()])
        await attempt(ports, 'a lease was not given back and runs out', () => leases.release(gatewayId))
    },
  }
}

function repeat(underWay: UnderWay, everyMs: number, step: () => Promise<void>): void {
  const round = async (): Promise<void> => {
    await step()
    underWay.later(everyMs, () => underWay.track(round()))
  }
  underWay.track(round())
}

/** Broker or storage may be away, for one of many things: the next round tries again. */
async function attempt({ log }: SpoolPorts, failure: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step()
  } catch (error) {
    log.warn(failure, { error })
  }
}

/** The folder of a version that did not share it: all of that is ours. */
async function takeFormer({ spools }: SpoolPorts, leases: Leases): Promise<void> {
  const former = await spools.former()
  if (former === undefined) return
  await leases.create(former)
  await spools.forgetFormer()
}

async function takeFree({ spools, log }: SpoolPorts, leases: Leases, gatewayId: GatewayId): Promise<boolean> {
  if (leases.holds(gatewayId)) return true
  const lease = await leases.read(gatewayId)
  if (lease) return leases.isFree(lease) && leases.take(lease)
  // of another broker, or given up long ago: not ours to delete
  if (!(await spools.remove(gatewayId))) log.warn('a spool that this broker does not know is left alone', { gatewayId })
  return false
}

async function makeSpool({ spools, nextGatewayId }: SpoolPorts, leases: Leases): Promise<Spool> {
  const gatewayId = nextGatewayId()
  // first: a spool without a lease is nobody's
  await leases.create(gatewayId)
  return spools.open(gatewayId)
}

async function renew(keeping: Keeping): Promise<void> {
  const { ports, leases, adopted } = keeping
  for (const gatewayId of await leases.renew()) {
    ports.log.warn('another gateway took over a spool from this one', { gatewayId })
    adopted.delete(gatewayId)
  }
  if (!leases.holds(keeping.own.gatewayId)) keeping.own = await makeSpool(ports, leases)
}

async function lookAround(keeping: Keeping, adopt: Adopt): Promise<void> {
  const { ports, leases, adopted, streamed } = keeping
  await attempt(ports, 'other gateways were not looked at', async () => {
    const here = new Set(await ports.spools.ids())
    for (const lease of await leases.others())
      await attempt(ports, 'a gateway that is gone was not looked after', () =>
        lookAfter(keeping, lease, here.has(lease.gatewayId)),
      )
  })
  for (const upload of streamed)
    await attempt(ports, 'an upload that broke off is not cleared away yet', async () => {
      await endStreamed(ports, upload)
      streamed.delete(upload)
    })
  for (const gatewayId of adopted.keys())
    await attempt(ports, 'a spool that was taken over is not taken up yet', () => takeUpFrom(keeping, gatewayId, adopt))
}

async function lookAfter(keeping: Keeping, lease: SeenLease, isHere: boolean): Promise<void> {
  const { ports, limits, leases, adopted, streamed } = keeping
  const { gatewayId, ageMs } = lease
  if (!leases.isFree(lease) && ageMs < limits.leaseMs) return
  const left = await streamedOf(ports, gatewayId)
  if (isHere) {
    if (!(await leases.take(lease))) return
    adopted.set(gatewayId, new Set())
    for (const upload of left) streamed.add(upload)
    ports.log.info('the spool of another gateway is taken over', { gatewayId })
    return
  }
  for (const upload of left) await endStreamed(ports, upload)
  if (ageMs < limits.giveUpMs) return
  await endSpooled(ports, gatewayId, limits)
  // of this and its return only one succeeds
  if (await leases.take(lease)) await leases.end(gatewayId)
}

async function streamedOf({ inHand }: SpoolPorts, gatewayId: GatewayId): Promise<readonly UploadInHand[]> {
  return [...(await inHand.readUnder(gatewayId)).values()].filter(({ isStreamed }) => isStreamed)
}

/** What a gateway was putting into storage when it died was accepted, or is nobody's. */
async function endStreamed(ports: SpoolPorts, upload: UploadInHand): Promise<void> {
  await endStranded(ports, upload, 'It never came to storage; upload it again.')
}

async function endSpooled(ports: SpoolPorts, gatewayId: GatewayId, { giveUpMs }: SpoolLimits): Promise<void> {
  const stranded = [...(await ports.inHand.readUnder(gatewayId)).values()]
  if (stranded.length === 0) return
  const reason = `The server that received this file has been gone for ${Math.round(giveUpMs / 1000)} seconds, and no other can reach its disk; upload it again.`
  for (const upload of stranded) await endStranded(ports, upload, reason)
  ports.log.warn('uploads of a gateway that is gone were ended', { gatewayId, uploads: stranded.length })
}

/** Looks again each time: somebody who only stood still may have finished receiving there. */
async function takeUpFrom({ ports, leases, adopted }: Keeping, gatewayId: GatewayId, adopt: Adopt): Promise<void> {
  const spool = await ports.spools.open(gatewayId)
  const found = await spool.recover({ isWriterGone: false })
  const known = adopted.get(gatewayId)
  for (const upload of found) {
    const { uploadId } = upload.manifest
    if (known?.has(uploadId)) continue
    await adopt([upload])
    known?.add(uploadId)
  }
  if (found.length > 0 || !(await ports.spools.remove(gatewayId))) return
  adopted.delete(gatewayId)
  await leases.end(gatewayId)
}

function idsIn(uploads: readonly SpooledUpload[], gatewayId: GatewayId): UploadId[] {
  return uploads.filter((upload) => upload.gatewayId === gatewayId).map(({ manifest }) => manifest.uploadId)
}
