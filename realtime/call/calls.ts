import type { Owner } from '../../actors/ids.ts'
import type { RealtimeClient } from '../client.ts'
import type { Admitted } from '../connect/admit.ts'
import { VoiceCall } from './call.ts'
import type { CallPorts } from './call.ts'
import { openCodec } from './codec.ts'
import type { CallOffer } from './offer.ts'

/** The calls of this process. */
export interface VoiceCalls {
  /** Gives the place of the admitted back when it rejects. */
  open(offer: CallOffer, admitted: Admitted): Promise<{ readonly id: string; readonly answer: string }>
  /** False when this owner has no such call. */
  hangUp(id: string, owner: Owner): boolean
  /** Ends those that nobody has picked up. */
  endConnecting(): void
  endAll(): void
}

export function openCalls(ports: Omit<CallPorts, 'begun' | 'ended'>, clients: Set<RealtimeClient>): VoiceCalls {
  const calls = new Map<string, VoiceCall>()
  const callPorts: CallPorts = {
    ...ports,
    begun: (client) => clients.add(client),
    ended: ({ id, client }) => {
      calls.delete(id)
      clients.delete(client)
    },
  }
  return {
    async open(offer, admitted) {
      const codec = await openCodec().catch((error: unknown) => {
        ports.doors.places.give(admitted.principal.owner)
        throw error
      })
      const call = new VoiceCall(callPorts, { id: ports.newId('rtc'), admitted, codec })
      calls.set(call.id, call)
      const answer = await call.answer(offer).catch((error: unknown) => {
        call.end()
        throw error
      })
      return { id: call.id, answer }
    },
    hangUp(id, owner) {
      const call = calls.get(id)
      if (call?.owner !== owner) return false
      call.hangUp()
      return true
    },
    endConnecting() {
      for (const call of calls.values()) if (call.isConnecting) call.end()
    },
    endAll() {
      for (const call of calls.values()) call.end()
    },
  }
}
