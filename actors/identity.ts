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
  /** Of an API key, or of the one that a session secret was made with: it may be revoked while something that it opened goes on. */
  readonly keyId?: string
  /** Only of an API key. Who has a token may do all that a user may. */
  readonly scopes?: readonly KeyScope[]
}

/** What a key may be for. `admin` is every scope, also those to come; whoever runs the service gives it, and nobody else. */
export const keyScopes = ['transcribe', 'files', 'realtime', 'share', 'keys', 'admin'] as const
export type KeyScope = (typeof keyScopes)[number]

/** Of a key that was made without any being named, which all were at first. */
export const usualScopes: readonly KeyScope[] = ['transcribe', 'files', 'realtime']

export function isAllowed({ scopes }: Pick<Caller, 'scopes'>, scope: KeyScope): boolean {
  return scopes === undefined || scopes.includes(scope) || scopes.includes('admin')
}

export type CredentialKind = 'none' | 'token' | 'api_key' | 'session_secret' | 'share_link'

/** By how it begins, which says nothing of whether it is good. */
export function credentialKind(credential: string | undefined): CredentialKind {
  if (credential === undefined || credential === '') return 'none'
  if (credential.startsWith('vaak_')) return 'api_key'
  if (credential.startsWith('share_')) return 'share_link'
  return credential.startsWith('ek_') ? 'session_secret' : 'token'
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
    /** The API key that it is made with: it is good for as long as that is. */
    readonly keyId?: string
  }): Promise<string>
}

/** The three ways to ask for a session secret: the present one, and two of older clients. */
export const secretKinds = ['client_secrets', 'sessions', 'transcription_sessions'] as const
export type SecretKind = (typeof secretKinds)[number]

/** Answers such a request: the secret, and the session that it opens. */
export type IssueSecret = (kind: SecretKind, caller: Caller, body: unknown) => Promise<object>

/** What may be asked of an API key, wherever it is made. */
export const keyLimits = { days: 3650, labelCharacters: 100, overlapHours: 720 } as const

/** How long the old key goes on beside the one in its place, unless told. */
export const usualOverlapHours = 24

/** What a user may see of an API key. */
export interface OwnKey {
  readonly id: string
  readonly label: string
  readonly scopes: readonly KeyScope[]
  readonly createdAtMs: number
  readonly untilMs?: number
  /** To the hour. */
  readonly lastUsedAtMs?: number
  /** The key that was made in its place. */
  readonly replacedBy?: string
}

export type MadeKey = OwnKey & { readonly key: string }

/** The API keys of users, as they see to them themselves. */
export interface OwnKeys {
  /** Resolves with the key, which nobody can read again; a terminal `conflict` when the user has as many as one may have. */
  make(input: WantedKey): Promise<MadeKey>
  /** Makes one in the place of another, which goes on for a while; nothing when the user has no such key. */
  rotateOf(
    owner: Owner,
    input: { readonly id: string; readonly overlapHours: number; readonly by?: Caller },
  ): Promise<MadeKey | undefined>
  listOf(owner: Owner): Promise<readonly OwnKey[]>
  /** False when the user has no such key. Those that were made with it go too. */
  revokeOf(owner: Owner, id: string): Promise<boolean>
}

interface WantedKey {
  readonly principal: Principal
  readonly label: string
  readonly days?: number
  readonly scopes?: readonly KeyScope[]
  /** Who asks. A key makes none that can do more, or lasts longer, than itself. */
  readonly by?: Caller
}

/** A JSON Web Key Set without anything secret. */
export interface PublicKeys {
  readonly keys: readonly { readonly kty?: string }[]
}
