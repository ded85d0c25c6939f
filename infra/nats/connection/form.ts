import { away } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import { firstForm, newestForm } from '../../../actors/form.ts'

/** A message as it is sent. */
export function versioned(body: object): string {
  return JSON.stringify({ ...body, v: firstForm })
}

/** Written by somebody who knows more than this version: it is theirs. */
export function isOfNewerForm(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'v' in body && typeof body.v === 'number' && body.v > newestForm
}

/** As if the broker was away: no attempt counts, nothing is written down, and who is newer goes on with it. */
export function newerForm(): FailureError {
  return away(
    'broker_unavailable',
    'This was written by a newer version of Vaak than the one that was asked. Nothing was lost; try again shortly.',
  )
}
