/** Something that is opened when it is first asked for, and then kept. */
export interface Lazy<Opened> {
  /** An opening that failed is forgotten: whoever asks next tries again. */
  get(): Promise<Opened>
  /** Closes it if it was opened. */
  close(): Promise<void>
}

export function lazily<Opened extends { close(): Promise<void> }>(open: () => Promise<Opened>): Lazy<Opened> {
  let opening: Promise<Opened> | undefined

  async function openOnce(): Promise<Opened> {
    try {
      return await open()
    } catch (error) {
      opening = undefined
      throw error
    }
  }

  return {
    get: () => (opening ??= openOnce()),
    async close() {
      const opened = await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}
