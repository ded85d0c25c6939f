import { terminal } from '../../actors/failure.ts'
import { isAllowed, usualScopes } from '../../actors/identity.ts'
import type { Caller, KeyScope } from '../../actors/identity.ts'

/** What a key may pass on to no other: one that was copied would go on in those that it made. */
const ownOnly: readonly KeyScope[] = ['keys', 'admin']

/** The scopes of a key that this caller makes; a terminal `forbidden` when it asks for more than it can give. */
export function scopesFor(by: Caller | undefined, wanted: readonly KeyScope[] | undefined): readonly KeyScope[] {
  if (wanted?.includes('admin')) throw terminal('forbidden', 'The scope admin is given by vaak keys create only.')
  if (by?.scopes === undefined) return wanted ?? usualScopes
  const given = wanted ?? usualScopes.filter((scope) => isAllowed(by, scope))
  const beyond = given.filter((scope) => ownOnly.includes(scope) || !isAllowed(by, scope))
  if (beyond.length > 0 || given.length === 0)
    throw terminal(
      'forbidden',
      `An API key gives others the scopes that it has itself, except ${ownOnly.join(' and ')}. Use your token.`,
    )
  return given
}

/** No later than the end of the key that makes it. */
export function endFor(by: Caller | undefined, untilMs: number | undefined): number | undefined {
  if (by?.keyId === undefined || by.untilMs === undefined) return untilMs
  return Math.min(untilMs ?? Infinity, by.untilMs)
}
