import type { Owner } from './ids.ts'

/** Who is calling: the only thing of a credential that handlers see. */
export interface Principal {
  readonly owner: Owner
  /** As the issuer wrote it, which may be anything. It belongs in no key, log or header: `owner` stands for it there. */
  readonly subject: string
}

/** What a credential says: whose it is, how long it holds, and what it is good for. */
export interface Caller {
  readonly principal: Principal
  /** By the wall clock; what never ends by itself has none. */
  readonly untilMs?: number
  /** Only of a session secret, which opens realtime sessions and nothing else. */
  readonly grant?: SessionGrant
  /** Only of an API key, which may be revoked while something that it opened goes on. */
  readonly keyId?: string
}

/** What whoever made a session secret laid down for the sessions that are opened with it. */
export interface SessionGrant {
  readonly kind: 'realtime' | 'transcription'
  readonly model?: string
  /** As the client wrote it and the session's own schemas accepted it. */
  readonly session?: unknown
  /** Whether the session keeps to it: clients cannot change what it says. */
  readonly locked?: boolean
  /** How long a session may last. */
  readonly sessionSeconds?: number
}

/** A credential becomes a caller, or a terminal `unauthenticated` that says what is wrong with it. */
export type Identify = (credential: string) => Promise<Caller>

/** Secrets that a server gives to browsers: they carry everything in themselves, and any node can check them. */
export interface SessionSecrets {
  make(input: {
    readonly principal: Principal
    readonly grant: SessionGrant
    readonly untilMs: number
  }): Promise<string>
}

/** The three ways to ask for a session secret: the present one, and two of older clients. */
export const secretKinds = ['client_secrets', 'sessions', 'transcription_sessions'] as const
export type SecretKind = (typeof secretKinds)[number]

/** Answers such a request: the secret, and the session that it opens. */
export type IssueSecret = (kind: SecretKind, principal: Principal, body: unknown) => Promise<object>

/** What may be asked of an API key, wherever it is made. */
export const keyLimits = { days: 3650, labelCharacters: 100 } as const

/** What a user may see of an API key. */
export interface OwnKey {
  readonly id: string
  readonly label: string
  readonly createdAtMs: number
  readonly untilMs?: number
}

/** The API keys of users, as they see to them themselves. */
export interface OwnKeys {
  /** Resolves with the key, which nobody can read again; a terminal `conflict` when the user has as many as one may have. */
  make(input: { principal: Principal; label: string; days?: number }): Promise<OwnKey & { readonly key: string }>
  listOf(owner: Owner): Promise<readonly OwnKey[]>
  /** False when the user has no such key. */
  revokeOf(owner: Owner, id: string): Promise<boolean>
}
