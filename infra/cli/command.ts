import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'

import type { Config, Environment } from '../config/config.ts'

/** One word after `vaak`. */
export interface Command {
  readonly name: string
  /** A line in the list of commands. */
  readonly summary: string
  /** What `vaak NAME --help` prints first: lines that can be pasted. */
  readonly examples?: string
  /** And what it prints then. */
  readonly help: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** Whether it takes words that are not options, such as files. */
  readonly operands?: true
  /** Loads what only it needs: a command should not wait for the modules of the others. */
  run(given: GivenArguments): Promise<void>
}

export interface GivenArguments {
  readonly config: Config
  readonly environment: Environment
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly operands: readonly string[]
}

/** Wrong words on the command line: said in a sentence, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function parseWords(command: Command, words: readonly string[]): Pick<GivenArguments, 'options' | 'operands'> {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
      strict: true,
      allowPositionals: command.operands ?? false,
    })
    return { options: values, operands: positionals }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${firstSentence(reason)}\nTry: vaak ${command.name} --help`)
  }
}

/** What follows is advice on operands that look like options, which nobody meant who mistyped one. */
function firstSentence(text: string): string {
  return text.replace(/\. To specify a positional argument .*$/s, '')
}
