import { z } from 'zod'

export const waveform = z
  .strictObject({
    seconds_per_point: z.number(),
    levels: z.array(z.int().min(0).max(1_000)).describe('Of each point the loudest, 0 to 1,000; at most 1,600 points.'),
  })
  .meta({ id: 'Waveform' })
  .optional()
  .describe('Only when it was asked for, of a transcript that has one: those of older versions have none.')
