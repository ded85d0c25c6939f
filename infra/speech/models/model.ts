/** One row of the catalogue. */
export interface Model {
  readonly id: string
  /** Where its files lie below MODEL_DIR, and in the repository or the cache. */
  readonly folder: string
  readonly languages: readonly string[]
  readonly licence: string
  readonly source: ModelSource
  readonly files: readonly ModelFile[]
}

export interface ModelFile {
  /** Below the model's folder, with `/` between parts. It is also the key under which `locate` returns the file. */
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** `repository`: comes with Vaak. `folder`: nowhere to be had yet but in MODEL_DIR. */
export type ModelSource = PackageSource | { readonly kind: 'repository' } | { readonly kind: 'folder' }

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

export interface LocatedModel {
  readonly id: string
  /** Absolute paths by `ModelFile.path`. */
  readonly files: Readonly<Record<string, string>>
}

export interface FetchProgress {
  readonly receivedBytes: number
  readonly totalBytes: number
}
