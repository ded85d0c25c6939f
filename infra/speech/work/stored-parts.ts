import type { Receipt } from '../../../actors/receipt/state.ts'
import type { RedactionKind, Script } from '../../../actors/transcript/state.ts'

/** A file's plan and results as they are stored, and what became of the other chunks. */
export interface StoredParts {
  readonly plan: Uint8Array
  readonly script: Script
  /** How many people speak, where the client said so. */
  readonly speakers?: number | undefined
  /** What is taken out of the words. */
  readonly redact?: readonly RedactionKind[] | undefined
  /** Whether what was taken out is given as well. */
  readonly keepUnredacted?: boolean | undefined
  /** What is said, where that is known. */
  readonly saidText?: string | undefined
  readonly done: readonly { readonly chunk: number; readonly result: Uint8Array }[]
  readonly failed: readonly FailedChunk[]
  /** What the file is called, and what was asked for, as a receipt tells it. */
  readonly order: Pick<Receipt, 'file_id' | 'batch_id' | 'options'>
}

interface FailedChunk {
  readonly chunk: number
  readonly reason: string
  readonly code: string
  readonly attempts: number
}
