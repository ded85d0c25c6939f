import { integer } from './kinds.ts'

/** How clients learn what becomes of their batches. */
export const noticeSettings = {
  eventsMax: integer({
    variable: 'EVENTS_MAX',
    about: 'Event streams that one gateway keeps open at the same time.',
    unit: 'streams',
    fallback: 1000,
    max: 9000,
  }),
  eventsMaxPerUser: integer({
    variable: 'EVENTS_MAX_PER_USER',
    about: 'Event streams of one user on one gateway.',
    unit: 'streams',
    fallback: 16,
    min: 1,
    max: 1000,
  }),
} as const
