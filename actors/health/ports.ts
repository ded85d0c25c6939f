/** Resolves when something that a process needs can be used; rejects with the reason otherwise. */
export type Dependency = () => Promise<void>

export interface Readiness {
  readonly isReady: boolean
  /** By the name of each dependency: `ok`, or what is the matter with it. */
  readonly dependencies: Readonly<Record<string, string>>
}

/** As it was a moment ago at most: asking often costs nothing. */
export type AskReadiness = () => Promise<Readiness>
