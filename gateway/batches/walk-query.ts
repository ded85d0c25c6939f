import { z } from 'zod'

import type { ListingPlace, WalkQuery } from '../../actors/listing/ports.ts'

/** What the lists that go on from a place are asked for. */

const moments = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const cursorPattern = /^(\d{1,9})(?:\.([0-9a-f-]{36}))?$/

export const cursorField = z
  .string()
  .regex(cursorPattern, 'is not a cursor: expected `next_cursor` of an earlier page')
  .optional()
  .describe('`next_cursor` of the page before. The other parameters stay as they were.')

export function momentField(about: string) {
  return z
    .string()
    .refine(isMoment, 'expected a date, such as 2026-11-16, or a time, such as 2026-11-16T12:00:00Z')
    .optional()
    .describe(`${about} A date is its beginning in UTC.`)
}

interface Stretch {
  readonly cursor: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

/** From where on, and made when. */
export function stretchOf({ cursor, from, to }: Stretch): Pick<WalkQuery<never>, 'after' | 'fromMs' | 'toMs'> {
  return {
    after: cursor === undefined ? undefined : placeIn(cursor),
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
  }
}

/** It names a place in the caller's own list and nothing else, so that nobody gains by making one up. */
export function cursorTo({ page, id }: ListingPlace): string {
  return id === undefined ? String(page) : `${page}.${id}`
}

function placeIn(cursor: string): ListingPlace {
  const [, page, id] = cursorPattern.exec(cursor) ?? []
  return { page: Number(page), ...(id !== undefined && { id }) }
}

function isMoment(text: string): boolean {
  return moments.safeParse(text).success
}
