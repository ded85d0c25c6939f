/** Answers that go on for long, by the API key that asked for them: they end when it is revoked. */
export interface OpenStreams {
  /** Returns what lets go of it. Who came with a token has no key. */
  hold(keyId: string | undefined, end: () => void): () => void
  keyIds(): readonly string[]
  endAllOf(keyId: string): void
}

export function openStreams(): OpenStreams {
  const held = new Map<string, Set<() => void>>()
  return {
    hold(keyId, end) {
      if (keyId === undefined) return () => undefined
      const ends = held.get(keyId) ?? new Set()
      held.set(keyId, ends.add(end))
      return () => {
        ends.delete(end)
        if (ends.size === 0 && held.get(keyId) === ends) held.delete(keyId)
      }
    },
    keyIds: () => [...held.keys()],
    endAllOf(keyId) {
      for (const end of held.get(keyId) ?? []) end()
    },
  }
}
