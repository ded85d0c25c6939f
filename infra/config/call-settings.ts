import { isIP } from 'node:net'

import { z } from 'zod'

import { integer, items, readBy } from './kinds.ts'
import type { Setting } from './kinds.ts'

const portMax = 65_535
/** werift looks for a free one between two that differ. */
const rangeForm = /^(\d{1,5})-(\d{1,5})$/

interface PortRange {
  readonly from: number
  readonly to: number
}

const ports: Setting<PortRange | undefined> = {
  variable: 'REALTIME_CALL_PORTS',
  about:
    'UDP ports of calls (WebRTC), such as `50000-50999`: each call takes one for each of its addresses. Empty: any that are free.',
  unit: 'ports',
  secret: false,
  fallback: '',
  expects: `two ports from 1 to ${portMax}, the lower one first, such as 50000-50999`,
  schema: z.union([z.literal('').transform(() => undefined), readBy(readRange)]),
}

function readRange(given: string): PortRange | undefined {
  const [, from, to] = (rangeForm.exec(given) ?? []).map(Number)
  return from && to && from < to && to <= portMax ? { from, to } : undefined
}

/** Sessions over WebRTC. */
export const callSettings = {
  realtimeCallPorts: ports,
  realtimeCallHosts: items({
    variable: 'REALTIME_CALL_HOSTS',
    about:
      'Addresses at which clients find the ports of calls, such as the public one of a machine behind NAT. Empty: those of this machine, or `127.0.0.1` while HOST is a loopback address.',
    fallback: '',
    expects: 'IP addresses',
    item: readBy((item) => (isIP(item) ? item : undefined)),
  }),
  realtimeCallConnectSeconds: integer({
    variable: 'REALTIME_CALL_CONNECT_SECONDS',
    about: 'How long a client may take to connect after its call was answered; then the call ends.',
    unit: 'seconds',
    fallback: 20,
    min: 1,
    max: 600,
  }),
} as const
