/** One file of the package: it lies at the same path in the checkout, unless its text is given. */
export interface PackedFile {
  readonly path: string
  readonly text?: string
  readonly sizeBytes: number
}

/** One that is not in the checkout as it is packed. */
export function givenFile(path: string, text: string): PackedFile {
  return { path, text, sizeBytes: Buffer.byteLength(text) }
}
