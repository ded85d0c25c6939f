import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream'
import { errors } from 'nats'

import { FailureError, away } from '../../../actors/failure.ts'

const wrongLastSequence = 10_071
const wrongLastSequenceConstant = 10_164
/** The same id was sent before and is not stored everywhere yet: whoever sends it again later hears that it is known. */
const idInProcess = 10_158
/** For a new stream or copy; of a node that is only busy the others may say for a while that it is offline. */
const noPeersForPlacement = 10_005
const serverErrors = 500
/** Of these a server says that it is in trouble, which it is until its settings change: too few nodes for the copies, no room. */
const lasting = new Set([10_023, 10_028, 10_047, 10_074])
const notAllowed =
  'The message broker does not allow this to the user of this process. Nothing was lost; its log says more.'

/** The one place that looks inside an error of the NATS client. What it does not know is a bug and stays as it is. */
export function classify(error: unknown): unknown {
  if (error instanceof FailureError || !isBrokerTrouble(error)) return error
  if (isNotAllowed(error)) return away('broker_unavailable', notAllowed, error)
  return brokerAway(error)
}

export function brokerAway(cause?: unknown): FailureError {
  return away('broker_unavailable', 'The message broker does not answer. Nothing was lost; try again shortly.', cause)
}

/** Whether our user of the broker lacks a permission. As long as it does, nothing that needs it is given up. */
export function isNotAllowed(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.cause instanceof errors.PermissionViolationError || isNotAllowed(error.cause)
}

export function isConflict(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError && (error.code === wrongLastSequence || error.code === wrongLastSequenceConstant)
  )
}

/** Nobody may hold a new stream or copy: so it is in a cluster that is too small, and in one whose nodes have not heard of each other yet. */
export function isWithoutPeers(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === noPeersForPlacement
}

/** Whether a broker that is asked to make something will say so again. */
export function isForGood(error: unknown): boolean {
  return error instanceof JetStreamApiError && lasting.has(error.code)
}

/** After these the write may or may not have been stored. */
function isBrokerTrouble(error: unknown): boolean {
  if (error instanceof JetStreamApiError)
    return error.status >= serverErrors || error.code === idInProcess || isPeerOffline(error)
  return (
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoRespondersError ||
    error instanceof errors.RequestError ||
    error instanceof errors.ConnectionError ||
    error instanceof errors.ClosedConnectionError ||
    error instanceof errors.DrainingConnectionError ||
    error instanceof JetStreamError ||
    // what an election looks like from outside; its class is not exported and is none of those above
    (error instanceof Error && error.name === 'JetStreamNotEnabled')
  )
}

function isPeerOffline(error: JetStreamApiError): boolean {
  return isWithoutPeers(error) && error.message.includes('peer offline')
}
