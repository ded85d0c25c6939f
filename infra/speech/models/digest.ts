import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { Model, ModelFile } from './model.ts'

const readBytes = 1024 * 1024

/** What is wrong with a model's files in a folder, or nothing. */
export type Defect =
  | { readonly kind: 'missing'; readonly file: ModelFile }
  | { readonly kind: 'corrupt'; readonly file: ModelFile; readonly reason: string }

export type CheckFiles = (model: Model, folder: string) => Promise<Defect | undefined>

/** Checks files against the catalogue. A file is hashed once in the life of a process, and again when it has changed. */
export function fileChecks(): CheckFiles {
  const intact = new Map<string, string>()

  async function defectOf(file: ModelFile, path: string): Promise<Defect | undefined> {
    const facts = await stat(path).catch(() => undefined)
    if (!facts?.isFile()) return { kind: 'missing', file }
    if (file.sha256 === null) return undefined
    if (facts.size !== file.sizeBytes)
      return { kind: 'corrupt', file, reason: `it has ${facts.size} bytes instead of ${file.sizeBytes}` }
    const version = `${facts.size} ${facts.mtimeMs} ${facts.ino} ${file.sha256}`
    if (intact.get(path) === version) return undefined
    const sha256 = await digestOf(path, 'sha256', 'hex')
    if (sha256 !== file.sha256) return { kind: 'corrupt', file, reason: `its sha256 is ${sha256}, not ${file.sha256}` }
    intact.set(path, version)
    return undefined
  }

  return async (model, folder) => {
    const defects: Defect[] = []
    for (const file of model.files) {
      const defect = await defectOf(file, join(folder, ...file.path.split('/')))
      if (defect) defects.push(defect)
    }
    return defects.find(({ kind }) => kind === 'missing') ?? defects[0]
  }
}

export async function digestOf(
  path: string,
  algorithm: 'sha256' | 'sha512',
  encoding: 'hex' | 'base64',
): Promise<string> {
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(path, { highWaterMark: readBytes })) hash.update(chunk)
  return hash.digest(encoding)
}
