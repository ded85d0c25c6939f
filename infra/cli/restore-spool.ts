import type { GatewayId } from '../../actors/ids.ts'
import type { Records } from '../../actors/ports.ts'
import { openLeases } from '../../actors/upload/leases.ts'
import type { Leases } from '../../actors/upload/leases.ts'
import type { GatewayLease } from '../../actors/upload/state.ts'
import type { Config } from '../config/config.ts'
import { spoolFolder } from '../config/open-storage.ts'
import { openHashing } from '../spool/hashing.ts'
import { spoolHolder } from '../spool/holder.ts'
import { recordSpoolAgain } from '../spool/record-again.ts'
import { openSpools, spoolPath } from '../spool/spools.ts'
import { systemClock } from '../timing/clock.ts'

/** What waits in the spools that can be reached from here. A gateway that runs has looked at its own already. */
export async function restoreSpool(config: Config, records: Records<GatewayLease>): Promise<void> {
  const folder = spoolFolder(config)
  const leases = openLeases({ leases: records, holder: await spoolHolder(), clock: systemClock })
  const spools = await openSpools({ folder, reserveBytes: config.spoolReserveBytes, hashing: openHashing() })
  for (const gatewayId of await spools.ids()) {
    const path = spoolPath(folder, gatewayId)
    if (!(await mayTouch(leases, gatewayId))) {
      process.stderr.write(`${path} is in use by a gateway and was left as it is.\n`)
      continue
    }
    const uploads = await recordSpoolAgain(path)
    await leases.release(gatewayId)
    if (uploads > 0) process.stdout.write(`${uploads} uploads that wait in ${path} go on with the next start.\n`)
  }
}

/** A broker that lost its records knows no lease of it either. */
async function mayTouch(leases: Leases, gatewayId: GatewayId): Promise<boolean> {
  const lease = await leases.read(gatewayId)
  return lease ? leases.isFree(lease) && leases.take(lease) : leases.create(gatewayId)
}
