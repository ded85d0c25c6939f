/** What a command does to a state, and what that state owes. Effects are owed by a state, not by a transition. */
export interface Decision<State, Effect> {
  readonly state: State
  readonly effects: readonly Effect[]
}

/** Ends a switch over a closed union: the compiler refuses to build when a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
