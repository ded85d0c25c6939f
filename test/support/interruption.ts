export const interrupted = new Error('interrupted')

/** Rejects with `interrupted` on Ctrl-C: a long run then ends what it started, and leaves no process and no disk behind. */
export function interruption(): Promise<never> {
  const told = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(interrupted))
  })
  // while everything is being started nobody listens yet
  told.catch(() => undefined)
  return told
}
