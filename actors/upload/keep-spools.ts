import type { GatewayId, UploadId } from '../ids.ts'
import type { Clock, Records } from '../ports.ts'
import { openLeases } from './leases.ts'
import type { Holder, Leases, SeenLease } from './leases.ts'
import type { Receiving, Spool, SpooledUpload, Spools } from './ports.ts'
import type { UploadPorts } from './record.ts'
import type { GatewayLease } from './state.ts'
import { endStranded } from './strand.ts'
import { createUnderWay } from './under-way.ts'

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
  /** Renews, takes over from the dead and ends what nobody can reach, again and again; `adopt` gets what was found. */
  start(adopt: (uploads: readonly SpooledUpload[]) => Promise<void>): void
  /** Leaves the spools to others. */
  stop(): Promise<void>
}

interface Keeping {
  readonly ports: SpoolPorts
  readonly limits: SpoolLimits
  readonly leases: Leases
  /** Of the spools of others: which uploads in them were taken up already. */
  readonly adopted: Map<GatewayId, Set<UploadId>>
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
  for (const gatewayId of free) await endStreamed(ports, gatewayId)
  const [first, ...others] = free
  const own = first === undefined ? await makeSpool(ports, leases) : await ports.spools.open(first)
  const keeping: Keeping = { ports, limits, leases, own, adopted: new Map() }
  const waiting = first === undefined ? [] : [...(await own.recover({ isWriterGone: true }))]
  for (const gatewayId of others) {
    const found = await (await ports.spools.open(gatewayId)).recover({ isWriterGone: true })
    keeping.adopted.set(gatewayId, new Set(found.map(({ manifest }) => manifest.uploadId)))
    waiting.push(...found)
  }
  return { keeper: keeperOf(keeping), waiting }
}

function keeperOf(keeping: Keeping): SpoolKeeper {
  const { ports, limits, leases } = keeping
  const underWay = createUnderWay()
  return {
    gatewayId: () => keeping.own.gatewayId,
    receive: (announced) => keeping.own.receive(announced),
    start(adopt) {
      const round = async (): Promise<void> => {
        await lookAround(keeping, adopt).catch((error: unknown) =>
          ports.log.warn('spools were not looked after; the next round will', { error }),
        )
        underWay.later(limits.leaseMs / renewalsPerLease, () => underWay.track(round()))
      }
      underWay.track(round())
    },
    async stop() {
      await underWay.drain()
      for (const gatewayId of [keeping.own.gatewayId, ...keeping.adopted.keys()])
        await leases
          .release(gatewayId)
          .catch((error: unknown) => ports.log.warn('a lease was not given back and runs out', { gatewayId, error }))
    },
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

type Adopt = (uploads: readonly SpooledUpload[]) => Promise<void>

async function lookAround(keeping: Keeping, adopt: Adopt): Promise<void> {
  const { ports, leases, adopted } = keeping
  for (const gatewayId of await leases.renew()) {
    ports.log.warn('another gateway took over a spool from this one', { gatewayId })
    adopted.delete(gatewayId)
    if (gatewayId === keeping.own.gatewayId) keeping.own = await makeSpool(ports, leases)
  }
  const here = new Set(await ports.spools.ids())
  for (const lease of await leases.others()) await lookAfter(keeping, lease, here.has(lease.gatewayId))
  for (const gatewayId of adopted.keys()) await takeUpFrom(keeping, gatewayId, adopt)
}

async function lookAfter(
  { ports, limits, leases, adopted }: Keeping,
  lease: SeenLease,
  isHere: boolean,
): Promise<void> {
  const { gatewayId, ageMs } = lease
  if (!leases.isFree(lease) && ageMs < limits.leaseMs) return
  await endStreamed(ports, gatewayId)
  if (isHere) {
    if (!(await leases.take(lease))) return
    adopted.set(gatewayId, new Set())
    ports.log.info('the spool of another gateway is taken over', { gatewayId })
  } else if (ageMs >= limits.giveUpMs) {
    await endSpooled(ports, gatewayId, limits)
    // of this and its return only one succeeds
    if (await leases.take(lease)) await leases.end(gatewayId)
  }
}

/** What a gateway was putting into storage when it died was accepted, or is nobody's. */
async function endStreamed(ports: SpoolPorts, gatewayId: GatewayId): Promise<void> {
  for (const upload of (await ports.inHand.readUnder(gatewayId)).values())
    if (upload.isStreamed) await endStranded(ports, upload, 'It never came to storage; upload it again.')
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
