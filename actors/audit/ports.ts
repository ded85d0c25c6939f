import type { Owner } from '../ids.ts'

/** Something that was done, or refused: who, what, to which object, from where, and how it ended. Never what was said or sent. */
export interface AuditEvent {
  /** `nobody` who is known, or whoever runs the service, at its command line. */
  readonly who: Owner | 'nobody' | 'operator'
  /** The API key that was used. */
  readonly keyId?: string
  /** The share link that was used; nobody knows by whom. */
  readonly linkId?: string
  /** One of our own words: the id of a route, or a command. */
  readonly what: string
  /** Ids only. */
  readonly objects: readonly string[]
  /** A network address, or nothing where there is none. */
  readonly from: string
  /** As HTTP has it. */
  readonly status: number
  readonly requestId?: string
}

/** Resolves when it is stored, or when it is known that it cannot be; never rejects. */
export type Audit = (event: AuditEvent) => Promise<void>
