interface OptionalPart {
  /** What people wanted, as the beginning of a sentence. */
  readonly part: string
  readonly packageName: string
  /** Which of its versions goes with this one of ours. */
  readonly version: string
}

/** What `load` imports. Not everybody has its package: who lacks it is told how to get it. */
export async function loadOptional<Loaded>(
  load: () => Promise<Loaded>,
  { part, packageName, version }: OptionalPart,
): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, packageName)) throw error
    const wanted = `${packageName}@${version}`
    throw new Error(
      `${part} needs a package that is not installed. Install it beside Vaak: npm install --global ${wanted}`,
      { cause: error },
    )
  }
}

function isMissing(error: unknown, packageName: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return false
  return error.message.includes(`'${packageName}'`)
}
