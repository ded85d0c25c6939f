import { z } from 'zod'

/** Asks before the schema does: zod overlooks a field, and its own complaints may repeat what was sent. */
export function unlessComplained<Schema extends z.ZodType>(
  complaintOf: (given: unknown) => string | undefined,
  schema: Schema,
) {
  return z.preprocess((given, { issues }) => {
    const complaint = complaintOf(given)
    if (complaint !== undefined) issues.push({ code: 'custom', message: complaint, input: undefined })
    return given
  }, schema)
}
