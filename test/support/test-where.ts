import test from 'ava'
import type { ExecutionContext } from 'ava'

type Run = (t: ExecutionContext) => Promise<void> | void

/** As `test`, where this machine has what the tests need. */
export interface ConditionalTest {
  (title: string, run: Run): void
  serial(title: string, run: Run): void
}

interface Demands {
  /** What a machine could have must be there in CI; what hangs on a copy of this repository, or on a kernel's policy, need not. */
  readonly mustRunInCi?: boolean
}

/**
 * What this machine cannot run is a skip that the report counts and standard error explains, never a pass; in CI it is a
 * failure of the whole file.
 */
export async function testWhere(
  what: string,
  probe: () => Promise<unknown>,
  { mustRunInCi = true }: Demands = {},
): Promise<ConditionalTest> {
  try {
    await probe()
    return Object.assign((title: string, run: Run): void => test(title, run), {
      serial: (title: string, run: Run): void => test.serial(title, run),
    })
  } catch (error) {
    explainSkip(what, error, { mustRunInCi })
    return Object.assign((title: string, run: Run): void => test.skip(title, run), {
      serial: (title: string, run: Run): void => test.serial.skip(title, run),
    })
  }
}

export function explainSkip(what: string, error: unknown, { mustRunInCi = true }: Demands = {}): void {
  const reason = error instanceof Error ? error.message : String(error)
  if (mustRunInCi && process.env['CI'] === 'true')
    throw new Error(`${what} must run in CI, and cannot: ${reason}`, { cause: error })
  const rule = '!'.repeat(100)
  process.stderr.write(
    `\n${rule}\n!! SKIPPED: ${what}.\n!! WHY: ${reason}\n!! Nothing was proved about it.\n${rule}\n\n`,
  )
}
