/** Takes one step, or says that none is left. Shared by all walks over one file, so that nesting does not multiply them. */
export type Steps = () => boolean

export function stepsUpTo(most: number): Steps {
  let taken = 0
  return () => taken++ < most
}
