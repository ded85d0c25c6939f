import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { z } from 'zod'

import type { DigestRequest } from './digest-thread.ts'
import type { Model, ModelFile } from './model.ts'

/** What is smaller is hashed where it is asked for: that takes less than others notice. */
const smallBytes = 1024 * 1024

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

/** Large files are hashed on a thread of their own, for as long as it takes: they are hundreds of megabytes, and an event loop that hashes them serves nobody. */
export async function digestOf(
  path: string,
  algorithm: DigestRequest['algorithm'],
  encoding: DigestRequest['encoding'],
): Promise<string> {
  const { size } = await stat(path)
  if (size <= smallBytes)
    return createHash(algorithm)
      .update(await readFile(path))
      .digest(encoding)
  const workerData: DigestRequest = { path, algorithm, encoding }
  const thread = new Worker(new URL('./digest-thread.js', import.meta.url), { workerData })
  const [digest] = await once(thread, 'message')
  return z.string().parse(digest)
}
