/** One row of the catalogue. */
export interface Model {
  readonly id: string
  /** Where its files lie below MODEL_DIR, and in the repository or the cache. */
  readonly folder: string
  readonly languages: readonly string[]
  readonly licence: string
  readonly source: ModelSource
  readonly files: readonly ModelFile[]
  /** How good it was on our clips; the card or infra/docs/measurements.md says on which. */
  readonly measured?: string
}

export interface ModelFile {
  /** Below the model's folder, with `/` between parts. It is also the key under which `locate` returns the file. */
  readonly path: string
  readonly sizeBytes: number
  /** Null where nobody has vouched for it: it is used as it is found. */
  readonly sha256: string | null
}

/** `repository`: comes with Vaak. `folder`: nowhere to be had but in MODEL_DIR. `own`: a folder there that no row names. */
export type ModelSource =
  | PackageSource
  | HubSource
  | { readonly kind: 'repository' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'own' }

/** A package of pure data in the npm registry: fetched and unpacked, never installed, nothing of it is ever run. */
export interface PackageSource {
  readonly kind: 'package'
  readonly name: string
  readonly version: string
  /** Of the tarball, sha512. */
  readonly integrity: string
  readonly sizeBytes: number
  /** The folder inside the package that holds the files. */
  readonly root: string
}

/** Where hub sources are fetched from, unless a mirror is configured. */
export const publicHub = 'https://huggingface.co'

/** Files of a repository of the Hugging Face hub, each fetched by itself. */
export interface HubSource {
  readonly kind: 'hub'
  /** `owner/name` */
  readonly repository: string
  /** A commit: a branch may say something else tomorrow. */
  readonly revision: string
}

export interface LocatedModel {
  readonly id: string
  /** Absolute paths by `ModelFile.path`. */
  readonly files: Readonly<Record<string, string>>
  /** Whether they are known to be what they should be: nobody vouches for a folder of the operator's own. */
  readonly checked: boolean
  /** By the same paths; null where nobody vouches for a file. */
  readonly sha256: Readonly<Record<string, string | null>>
  /** Absent where it lies in MODEL_DIR or in the repository. */
  readonly cachedIn?: CachedIn
}

/** What is made of a model may be kept beside it, and goes with it. */
export interface CachedIn {
  readonly folder: string
  /** Of all its files, as the catalogue has them. */
  readonly digest: string
}

export interface FetchProgress {
  readonly receivedBytes: number
  readonly totalBytes: number
}
