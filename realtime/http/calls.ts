import type { HttpResponse, TemplatedApp } from 'uWebSockets.js'

import type { Voices } from '../../actors/conversation/ports.ts'
import { ownModel } from '../../actors/conversation/ports.ts'
import { terminal } from '../../actors/failure.ts'
import type { VoiceCalls } from '../call/calls.ts'
import { readOffer } from '../call/offer.ts'
import type { CallOffer } from '../call/offer.ts'
import type { SessionEnding } from '../close.ts'
import { admit } from '../connect/admit.ts'
import type { Doors } from '../connect/admit.ts'
import { complaintAboutAsked } from '../connect/asked-settings.ts'
import { copyRequest } from '../connect/copy-request.ts'
import type { UpgradeRequest } from '../connect/request.ts'
import { json, readSmallBody, respond } from './answer.ts'
import type { HttpAnswer } from './answer.ts'
import { callerOf, whoIs } from './caller.ts'

interface CallRoutePorts {
  readonly doors: Doors
  readonly calls: VoiceCalls
  readonly voices: Voices
}

const callsPath = '/v1/realtime/calls'
/** The older address has the model in its query. */
const paths = [callsPath, '/v1/realtime']

/** Sessions over WebRTC: an offer is answered, and everything else goes by UDP. */
export function answerCalls(app: TemplatedApp, ports: CallRoutePorts): void {
  for (const path of paths)
    app.post(path, (response, request) => {
      const copied = copyRequest(request, addressOf(response))
      const contentType = request.getHeader('content-type')
      const body = readSmallBody(response)
      respond(response, async () => {
        const offer = readOffer(await body, contentType)
        return openCall(offer, { ...asked(copied, offer), modelOtherwise: ownModel }, ports)
      })
    })
  app.post(`${callsPath}/:id/hangup`, (response, request) => {
    const id = request.getParameter(0) ?? ''
    const copied = copyRequest(request, addressOf(response))
    respond(response, () => hangUp(id, copied, ports))
  })
}

/** The settings say which session it is to be, where the address does not. */
function asked(request: UpgradeRequest, { session }: CallOffer): UpgradeRequest {
  const query = new URLSearchParams(request.query)
  const { model, type } = (session ?? {}) as { model?: unknown; type?: unknown } // as: still to be checked
  if (typeof model === 'string' && !query.has('model')) query.set('model', model)
  if (type === 'transcription') query.set('intent', type)
  return { ...request, query: query.toString() }
}

async function openCall(offer: CallOffer, request: UpgradeRequest, ports: CallRoutePorts): Promise<HttpAnswer> {
  const admission = await admit(request, ports.doors)
  if ('refused' in admission) return refusal(admission.refused)
  const { admitted } = admission
  const wrong = complaintAboutAsked(offer.session, admitted, ports.voices)
  if (wrong !== undefined) {
    ports.doors.places.give(admitted.principal.owner)
    throw terminal('invalid_request', wrong)
  }
  const { id, answer } = await ports.calls.open(offer, admitted)
  const headers = { Location: `${callsPath}/${id}` }
  return { status: 201, contentType: 'application/sdp', body: answer, headers }
}

/** By whoever could have opened it; whose call it is nobody else learns. */
async function hangUp(id: string, request: UpgradeRequest, { doors, calls }: CallRoutePorts): Promise<HttpAnswer> {
  const caller = await callerOf(request.authorization, doors, 'calls')
  const isEnded = calls.hangUp(id, caller.principal.owner)
  const status = isEnded ? 200 : 404
  await doors.audit?.({
    ...whoIs(caller),
    what: 'hangUpCall',
    objects: isEnded ? [id] : [],
    from: request.from,
    status,
  })
  if (!isEnded) throw terminal('not_found', 'You have no such call here; it may have ended.')
  return json(200, {})
}

function refusal({ status, type, code, message }: SessionEnding): HttpAnswer {
  return json(status, { detail: message, error: { type, code, message, param: null } })
}

function addressOf(response: HttpResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString()
}
