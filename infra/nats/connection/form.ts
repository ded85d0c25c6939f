import { away } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'

/**
 * Which form messages and records have. It is raised when who knows the old form only would misread or spoil the new one; a field that may
 * be missing does not need that. What says nothing is of the first form.
 */
export const formVersion = 1

/** A message as it is sent. */
export function versioned(body: object): string {
  return JSON.stringify({ ...body, v: formVersion })
}

/** Written by somebody who knows more than this version: it is theirs. */
export function isOfNewerForm(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'v' in body && typeof body.v === 'number' && body.v > formVersion
}

/** As if the broker was away: no attempt counts, nothing is written down, and who is newer goes on with it. */
export function newerForm(): FailureError {
  return away(
    'broker_unavailable',
    'This was written by a newer version of Vaak than the one that was asked. Nothing was lost; try again shortly.',
  )
}
