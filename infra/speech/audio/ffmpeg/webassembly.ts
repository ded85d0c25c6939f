/** The part of WebAssembly that we use: Node's types have none of it, and those of a browser bring all of the browser along. */

interface WantedImport {
  readonly module: string
  readonly name: string
}

interface WebAssemblyModule {
  /** Marks the type: a module has nothing that we read. */
  readonly [Symbol.toStringTag]: string
}

export type WebAssemblyCall = (...given: number[]) => number

interface WebAssemblyInstance {
  readonly exports: Readonly<Record<string, WebAssemblyCall | { readonly buffer: ArrayBuffer }>>
}

interface WebAssemblyHere {
  readonly Module: {
    new (bytes: Uint8Array): WebAssemblyModule
    imports(module: WebAssemblyModule): readonly WantedImport[]
  }
  readonly Instance: new (
    module: WebAssemblyModule,
    imports: Readonly<Record<string, Readonly<Record<string, WebAssemblyCall>>>>,
  ) => WebAssemblyInstance
}

// as: Node has it under this name, and does not say so in its types
export const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyHere }).WebAssembly
