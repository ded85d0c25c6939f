/** What a machine cannot run is skipped so that nobody overlooks it, and in CI it is a failure. */
export function skipLoudly(what: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  if (process.env['CI'] === 'true') throw new Error(`${what} must run in CI, and cannot: ${reason}`, { cause: error })
  const rule = '!'.repeat(100)
  process.stderr.write(
    `\n${rule}\n!! SKIPPED: ${what}.\n!! WHY: ${reason}\n!! Nothing was proved about it.\n${rule}\n\n`,
  )
}
