import { integer } from './kinds.ts'

/** How often one gateway may be asked. */
export const rateSettings = {
  rateUserPerSecond: integer({
    variable: 'RATE_USER_PER_SECOND',
    about:
      'Requests of one user that one gateway answers in a second, over a while; 64 KiB of JSON count as one more. 0 means no such limit.',
    unit: 'requests',
    fallback: 200,
    max: 1_000_000,
  }),
  rateUserBurst: integer({
    variable: 'RATE_USER_BURST',
    about: 'How many of them may come at once.',
    unit: 'requests',
    fallback: 2_000,
    min: 1,
    max: 10_000_000,
  }),
  rateAddressPerSecond: integer({
    variable: 'RATE_ADDRESS_PER_SECOND',
    about:
      'The same for one address, or one /64 of IPv6, whoever asks from there, also with a wrong token. 0 means no such limit, as it must be behind a proxy.',
    unit: 'requests',
    fallback: 1_000,
    max: 1_000_000,
  }),
  rateAddressBurst: integer({
    variable: 'RATE_ADDRESS_BURST',
    about: 'How many of them may come at once.',
    unit: 'requests',
    fallback: 10_000,
    min: 1,
    max: 10_000_000,
  }),
} as const
