import { integer } from './kinds.ts'

/** What finding words costs. */
export const searchSettings = {
  searchMaxWords: integer({
    variable: 'SEARCH_MAX_WORDS',
    about:
      'Words of transcripts that a gateway keeps ready to be searched, of those users who searched last: about 100 MB a million; a file counts as 20 more. Of one user the oldest files beyond that are left out.',
    unit: 'words',
    fallback: 2_000_000,
    min: 1,
    max: 100_000_000,
  }),
} as const
